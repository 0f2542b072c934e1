// The worker: it fetches the program that reads and writes files, which then serves the page.
const [COMING, STOPPED] = [1, 2];
// Whatever ends the program is told, even where the browser would only write it to the console.
const stopped = () => {
  self.postMessage([0, STOPPED]);
  self.close();
};
self.addEventListener("unhandledrejection", stopped);
self.addEventListener("error", stopped);
try {
  const { default: start } = await import("./ebbline-files.js");
  self.postMessage([0, COMING]);
  const module = await fetch(new URL("ebbline-files_bg.wasm", import.meta.url));
  const follow = async (reader) => {
    while (!(await reader.read()).done) self.postMessage([0, COMING]);
  };
  follow(module.clone().body.getReader()).catch(() => {});
  await start({ module_or_path: module });
} catch {
  // The page says that the program could not be fetched.
  stopped();
}
