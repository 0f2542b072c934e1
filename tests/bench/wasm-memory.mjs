// Imported before the package, this keeps the memories of all modules that are instantiated: the package hands none out.

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
  const made = await instantiate(source, imports);
  keep(made.instance ?? made);
  return made;
};
WebAssembly.instantiateStreaming = async (source, imports) => {
  const made = await instantiateStreaming(source, imports);
  keep(made.instance);
  return made;
};

/** How many bytes all modules have taken. It never becomes less. */
export function wasmBytes() {
  let bytes = 0;
  for (const memory of memories) bytes += memory.buffer.byteLength;
  return bytes;
}
