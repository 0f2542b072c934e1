// Pages in Chromium: serves a folder, opens a page from it, and reads the report that the page's program leaves.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

import { launch, noBrowser } from '../chromium.mjs';

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' };
const NONCE = 'ebbline';
const PAGE_LIMIT = 60_000;
/** The policy of a careful page: its own files and WebAssembly, nothing else. */
const POLICY = `default-src 'none'; script-src 'self' 'nonce-${NONCE}' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'`;

/** @type {ReturnType<typeof launch> | undefined} */
let browser;

export { noBrowser };
export const chromiumVersion = async () => (await (browser ??= launch())).version();
export const closeBrowser = async () => (await browser)?.close();

/** A page that runs `main.js`; `before` is the markup before it. */
export const html = (main, before = '') =>
  `<!doctype html><meta charset="utf-8"><title>ebbline</title>${before}<script type="module" src="${main}"></script>\n`;

/** An import map for a page without a bundler. */
export const importMap = (imports) => `<script type="importmap" nonce="${NONCE}">${JSON.stringify({ imports })}</script>`;

/** The program of a page: it leaves the promised report where `reportOfPage` looks for it. */
export const leaving = (imports, report) =>
  `${imports}\nconst leave = (report) => { globalThis.report = JSON.stringify(report); };\n` +
  `(async () => (${report}))().then(leave, (error) => leave({ error: String(error?.stack ?? error) }));\n`;

/** Serves a folder under a strict policy while `body` runs. */
export async function served(folder, body) {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url, 'http://localhost').pathname);
    const file = join(folder, path === '/' ? 'index.html' : path);
    if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
    response.setHeader('Content-Security-Policy', POLICY);
    response.setHeader('Content-Type', TYPES[extname(file)] ?? 'application/octet-stream').end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await body(`http://127.0.0.1:${server.address().port}/`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** Opens an address; returns the report of the page and the paths that it requested. */
export async function reportOfPage(address) {
  const page = await (await (browser ??= launch())).newPage();
  const faults = [];
  const requests = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  try {
    await page.goto(address);
    const found = await page
      .waitForFunction(() => globalThis.report, undefined, { timeout: PAGE_LIMIT })
      .catch((error) => {
        throw new Error(`the page left no report: ${error.message}`);
      });
    const report = JSON.parse(await found.jsonValue());
    if (report.error) throw new Error(report.error);
    return { ...report, requests };
  } catch (error) {
    throw new Error([error.message, ...faults].join('\n'));
  } finally {
    await page.close();
  }
}
