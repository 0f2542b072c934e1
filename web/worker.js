// The worker: it fetches the program that reads and writes files, which then serves the page.
try {
  const { default: start } = await import("./ebbline-files.js");
  await start({ module_or_path: new URL("ebbline-files_bg.wasm", import.meta.url) });
} catch {
  // No tag: the page says that the program could not be fetched.
  self.postMessage([0, 0]);
}
