// A server of the built playground with configurable responses: keep or close connections, delay a response.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../dist/', import.meta.url));
const KINDS = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm' };

/**
 * Serves Trunk's build folder.
 *
 * `keepAlive`: whether connections are kept. `answer(name, file, response)`: called for every file; returns `true` if
 * it has responded itself.
 *
 * @param {{ folder?: string, keepAlive?: boolean, answer?: (name: string, file: string, response: any) => any }} options
 */
export async function serve({ folder = FOLDER, keepAlive = true, answer = () => false } = {}) {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
    const name = path === '/' ? 'index.html' : path.slice(1);
    const file = join(folder, name);
    const found = await stat(file).catch(() => null);
    if (!file.startsWith(folder) || !found?.isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader('Content-Type', KINDS[extname(name)] ?? 'application/octet-stream');
    response.setHeader('Cache-Control', 'no-cache');
    if (!keepAlive) response.setHeader('Connection', 'close');
    if (await answer(name, file, response)) return;
    response.setHeader('Content-Length', found.size);
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}/`, close };
}
