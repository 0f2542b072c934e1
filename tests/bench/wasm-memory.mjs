// Records the memory of every module that is instantiated after this import: the package exports none of them.

const memories = new Set();

const { Instance, instantiate, instantiateStreaming } = WebAssembly;

function keep(instance) {
  for (const exported of Object.values(instance.exports)) {
    if (exported instanceof WebAssembly.Memory) memories.add(exported);
  }
  return instance;
}

WebAssembly.Instance = class extends Instance {
  constructor(module, imports) {
    super(module, imports);
    keep(this);
  }
};
WebAssembly.instantiate = async (source, imports) => {
  const made = /** @type {any} */ (await instantiate(source, imports));
  keep(made.instance ?? made);
  return made;
};
WebAssembly.instantiateStreaming = async (source, imports) => {
  const made = await instantiateStreaming(source, imports);
  keep(made.instance);
  return made;
};

/** The bytes of all memories together. They never shrink. */
export function wasmBytes() {
  let bytes = 0;
  for (const memory of memories) bytes += memory.buffer.byteLength;
  return bytes;
}
