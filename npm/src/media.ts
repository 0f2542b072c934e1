// What documents, audio and video cost: by pages and seconds, which are told from the number of bytes. The counterpart of
// `format/media.rs`; `docs/estimator.md` has the rules.

import { type Members, byteLengthOf, isBytes } from './values.js';

/** What a provider counts for a page, and for a second of audio and video. */
export interface Tariff {
  readonly page: number;
  readonly audio: number;
  readonly video: number;
}

/** Where a format does not say which provider gets the messages: the largest of what they publish. */
export const ANY: Tariff = { page: 3_000, audio: 32, video: 300 };
export const OPENAI: Tariff = { page: 2_000, audio: 10, video: 300 };
export const GEMINI: Tariff = { page: 258, audio: 32, video: 300 };

const PAGE = 100_000;
const WAVE = 32_000;
const SOUND = 16_000;
const VIDEO = 250_000;
const MOST_PAGES = 50;
const NAMED = { pages: 3, seconds: 60 };
const SMALLEST = 1_000;
const LONGEST_NAME = 2_048;

const SAYING = ['mime_type', 'mimeType', 'media_type', 'mediaType', 'contentType', 'mime', 'format'];
const HOLDING = ['source', 'file', 'input_audio', 'audio', 'media'];

const AUDIO = new Set(['wav', 'mp3', 'flac', 'opus', 'ogg', 'aac', 'm4a', 'pcm', 'pcm16']);
const FILMS = new Set(['mp4', 'mov', 'mkv', 'webm', 'mpeg', 'mpg', 'flv', 'wmv', 'three_gp']);
const TEXTS = new Set(['txt', 'csv', 'md', 'html', 'application/json', 'application/xml']);

const IS_NAME = /^(?:file[!-~]*|[!-~]*[.:][!-~]*)$/;
const SHOWS_ENCODED = /^[A-Za-z0-9+/=_-]{64}/;

/**
 * The tokens of a file; `undefined` where it costs what its text costs.
 *
 * @param about the block whose data it is
 */
export function tokensOfFile(data: unknown, about: unknown, tariff: Tariff): number | undefined {
  const { said, bytes, isNamed } = opened(data);
  if (bytes === undefined && !isNamed) return undefined;
  const sort = said === undefined ? sortOf(about) : sortSaid(said);
  if (isNamed) {
    if (sort === 'wave' || sort === 'sound') return NAMED.seconds * tariff.audio;
    return sort === 'video' ? NAMED.seconds * tariff.video : NAMED.pages * tariff.page;
  }
  if (bytes === undefined || bytes < SMALLEST) return undefined;
  switch (sort) {
    case 'wave':
      return Math.ceil(bytes / WAVE) * tariff.audio;
    case 'sound':
      return Math.ceil(bytes / SOUND) * tariff.audio;
    case 'video':
      return Math.ceil(bytes / VIDEO) * tariff.video;
    case 'text':
      return Math.ceil(bytes / 4);
  }
  return Math.min(Math.ceil(bytes / PAGE), MOST_PAGES) * tariff.page;
}

/** What is counted alike: sound by its seconds, `wave` if it is not compressed. */
type Sort = 'wave' | 'sound' | 'video' | 'text' | 'document';

interface FileData {
  /** the media type, if the data say one */
  readonly said?: string | undefined;
  readonly bytes?: number | undefined;
  /** whether it is only a name */
  readonly isNamed?: boolean;
}

/** What data is: so many bytes, only a name, or neither, which is a text; and the media type if it says one. */
function opened(data: unknown): FileData {
  const text = typeof data === 'string' ? data : textOf(data);
  if (text === undefined) return { bytes: data === undefined ? undefined : Math.ceil(byteLengthOf(data) / 3) * 3 };
  const comma = text.startsWith('data:') ? text.indexOf(',') : -1;
  if (comma >= 0) {
    const head = text.slice('data:'.length, comma);
    const said = head.split(';', 1)[0] || undefined;
    return { said, bytes: head.endsWith(';base64') ? encoded(text.length - comma - 1) : undefined };
  }
  if (text.length <= LONGEST_NAME && IS_NAME.test(text)) return { isNamed: true };
  return { bytes: SHOWS_ENCODED.test(text) ? encoded(text.length) : undefined };
}

/** What an object is written as in JSON, if it says so itself: the text of a URL. */
function textOf(data: unknown): string | undefined {
  const value = data as { readonly toJSON?: unknown } | null | undefined;
  return isBytes(value) || typeof value?.toJSON !== 'function' ? undefined : String(value.toJSON());
}

function encoded(characters: number): number {
  return Math.floor((characters * 3) / 4);
}

function sortSaid(said: string): Sort {
  const word = said.toLowerCase();
  if (word.startsWith('audio') || AUDIO.has(word)) return word.endsWith('wav') || word.includes('pcm') ? 'wave' : 'sound';
  if (word.startsWith('video') || FILMS.has(word)) return 'video';
  return word.startsWith('text/') || TEXTS.has(word) ? 'text' : 'document';
}

/** What a block says that its file is. */
function sortOf(given: unknown): Sort {
  const about = given as Members | null | undefined;
  for (const holder of [about, ...HOLDING.map((key) => about?.[key] as Members | null | undefined)]) {
    const key = SAYING.find((name) => typeof holder?.[name] === 'string');
    const said = key === undefined ? undefined : holder?.[key];
    if (typeof said === 'string' && said !== '') return sortSaid(said);
  }
  const named = [about?.type, about?.kind].find((name) => typeof name === 'string') ?? '';
  if (named.includes('audio')) return 'sound';
  return named.includes('video') ? 'video' : 'document';
}
