// Files that the build adds to the package beside its own JavaScript: what wasm-bindgen writes, the modules, bundles, ranks.
declare module "*core.js";
declare module "*.wasm";
declare module "*.wasm?module";
declare module "*.wasm.js";
declare module "*.bin";
declare module "*node-engine.cjs";
declare module "*node.cjs";
declare module "*web.js";
declare module "*ebbline-files.js";

/** What the tests of the page leave on its window, and on that of its worker. */
interface Window {
  hurt?: number;
  isHeld?: boolean;
  longestFrame: number;
}
