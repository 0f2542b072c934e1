// A registry of npm that has the package under test, and asks the real one for everything else.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { manifest, packageFolder } from '../../npm/package.mjs';

const npm = async (...args) => (await promisify(execFile)('npm', args)).stdout.trim();

async function packed() {
  const folder = mkdtempSync(join(tmpdir(), 'ebbline-packed-'));
  await npm('pack', packageFolder, '--ignore-scripts', '--pack-destination', folder);
  const bytes = readFileSync(join(folder, `${manifest.name}-${manifest.version}.tgz`));
  rmSync(folder, { recursive: true });
  return bytes;
}

export async function startRegistry() {
  const [bytes, upstream] = await Promise.all([packed(), npm('config', 'get', 'registry')]);
  const { name, version } = manifest;
  const server = createServer(async (request, response) => {
    const here = `http://${request.headers.host}`;
    if (request.url === `/${name}/-/${name}-${version}.tgz`) return response.end(bytes);
    if (request.url === `/${name}` || request.url === `/${name}/latest` || request.url === `/${name}/${version}`) {
      const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
      const dist = { tarball: `${here}/${name}/-/${name}-${version}.tgz`, integrity };
      const one = { ...manifest, _id: `${name}@${version}`, dist };
      const all = { name, 'dist-tags': { latest: version }, versions: { [version]: one }, time: { [version]: '2026-11-01T00:00:00.000Z' } };
      response.writeHead(200, { 'content-type': 'application/json' });
      return response.end(JSON.stringify(request.url === `/${name}` ? all : one));
    }
    response.writeHead(307, { location: new URL((request.url ?? '/').slice(1), upstream).href });
    return response.end();
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', () => ready(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}/`, close: () => (server.closeAllConnections(), server.close()) };
}
