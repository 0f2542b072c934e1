// The worker: fetches the program that reads and writes files, which then answers the page.
const [LOADING, STOPPED] = [1, 2];
// Reports every end of the program, even one that the browser would only write to the console.
const stopped = () => {
  self.postMessage([0, STOPPED]);
  self.close();
};
self.addEventListener('unhandledrejection', stopped);
self.addEventListener('error', stopped);
try {
  const { default: start } = await import('./ebbline-files.js');
  self.postMessage([0, LOADING]);
  const module = await fetch(new URL('ebbline-files_bg.wasm', import.meta.url));
  const follow = async (reader) => {
    while (!(await reader.read()).done) self.postMessage([0, LOADING]);
  };
  follow(module.clone().body.getReader()).catch(() => {});
  await start({ module_or_path: module });
} catch {
  // The page then explains that the program could not be fetched.
  stopped();
}
