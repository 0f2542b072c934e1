// Keeps the playground's own files, so that it also opens without a network. What the server has is always preferred.
// Sessions are never here: the page reads them itself and asks nobody for them.
/** The global of a service worker, which the types of pages do not have. @type {any} */
const scope = self;
const KEPT = 'ebbline';
const FILES = [
  './',
  'boot.js',
  'style.css',
  'ebbline-web.js',
  'ebbline-web_bg.wasm',
  'worker.js',
  'ebbline-files.js',
  'ebbline-files_bg.wasm',
];

scope.addEventListener('install', (event) => {
  // The browser has them in its cache: the page has just loaded them.
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(FILES)));
  scope.skipWaiting();
});
scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()));

const answer = async (request) => {
  const cache = await caches.open(KEPT);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: true });
    if (!kept) throw error;
    return kept;
  }
};
scope.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method === 'GET' && new URL(request.url).origin === scope.location.origin) event.respondWith(answer(request));
});
