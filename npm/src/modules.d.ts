// Files that the build adds beside the JavaScript of the package: modules, also as text, and ranks of tokens.

declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}
declare module "*.wasm?module" {
  const module: WebAssembly.Module;
  export default module;
}
declare module "*.wasm.js" {
  export const module: string;
}
declare module "*.bin" {
  const ranks: ArrayBuffer;
  export default ranks;
}
