// What the type declarations of the tokenizers must accept and refuse. `tsc` compiles this file; it is never run.

import { EbblineError, load, loadSync, type Tokenizer } from "ebbline/tokenizers/o200k";
import * as cl100k from "ebbline/tokenizers/cl100k";

const tokenizer: Tokenizer = await load();
const count: number = tokenizer.count("a", { special: ["<|endoftext|>"], strict: true });
const tokens: Uint32Array = loadSync().encode("a", { special: "all" });
const text: string = tokenizer.decode([...tokens, count]);
const encoding: "o200k_base" | "cl100k_base" = tokenizer.encoding;
await cl100k.load({ wasm: new ArrayBuffer(1), ranks: fetch(text + encoding) });

try {
  tokenizer.free();
} catch (error) {
  if (error instanceof EbblineError && error.code === "freed") tokenizer.count(error.message);
}

// @ts-expect-error a text is a string
tokenizer.count(7);
// @ts-expect-error there is no such option
tokenizer.encode("a", { allowed: "all" });
// @ts-expect-error at once, there is no address
loadSync({ ranks: "https://example.com/o200k.bin" });
