// A registry of npm that has the package under test, and asks the real one for everything else.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/**
 * @param {string} tarball the package
 * @param {any} manifest what its package.json says
 * @param {string} upstream the registry for everything else
 */
export async function startRegistry(tarball, manifest, upstream) {
  const bytes = readFileSync(tarball);
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
