// CRC-32C (Castagnoli): it detects every change of up to three bits in any data that fits into memory.

const POLYNOMIAL = 0x82f6_3b78;
const BYTES = 4;
/** The effect on the checksum of each value of each byte of a word. */
const TABLES = tables();

/** Continues the checksum `before` with words, each taken as four bytes, lowest first. */
export function crcOfWords(words: Uint32Array, before = 0) {
  const [first, second, third, last] = TABLES;
  let sum = ~before;
  for (let at = 0; at < words.length; at += 1) {
    const bytes = sum ^ words[at];
    sum = last[bytes & 0xff] ^ third[(bytes >>> 8) & 0xff] ^ second[(bytes >>> 16) & 0xff] ^ first[bytes >>> 24];
  }
  return ~sum >>> 0;
}

/** The checksum of a text: of its UTF-16 units. */
export function crcOfText(text: string) {
  const words = new Uint32Array(text.length);
  for (let at = 0; at < text.length; at += 1) words[at] = text.charCodeAt(at);
  return crcOfWords(words);
}

function tables(): readonly Int32Array[] {
  const made = Array.from({ length: BYTES }, () => new Int32Array(256));
  for (let byte = 0; byte < 256; byte += 1) {
    let sum = byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? POLYNOMIAL : 0);
    made[0][byte] = sum;
  }
  for (let table = 1; table < BYTES; table += 1) {
    for (let byte = 0; byte < 256; byte += 1) {
      const sum = made[table - 1][byte];
      made[table][byte] = (sum >>> 8) ^ made[0][sum & 0xff];
    }
  }
  return made;
}
