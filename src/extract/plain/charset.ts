// Bytes → text: by byte order mark, by declaration, by what decodes, by which language the text then looks like.
import { readWritings, type Writing } from "./letters.ts";

export interface Decoded {
  readonly text: string;
  readonly charset: string;
}

export function decodeText(bytes: Buffer, declared?: string): Decoded {
  const marked = byteOrderMark(bytes) ?? wideWithoutMark(bytes);
  if (marked !== undefined) return decode(bytes, marked);
  const utf8 = tryDecode(bytes, "utf-8", true);
  if (utf8 !== undefined)
    return hasEscapedJapanese(utf8)
      ? decode(bytes, "iso-2022-jp")
      : { text: utf8, charset: "utf-8" };
  const named = declared === undefined ? undefined : known(declared);
  if (named !== undefined && named !== "utf-8") return decode(bytes, named);
  if (mostlyUtf8(bytes)) return decode(bytes, "utf-8");
  return decode(bytes, byEvidence(bytes));
}

const CODE_PAGES: Readonly<Record<number, string>> = {
  866: "ibm866",
  874: "windows-874",
  932: "shift_jis",
  936: "gbk",
  949: "euc-kr",
  950: "big5",
  1200: "utf-16le",
  10000: "macintosh",
  20866: "koi8-r",
  21866: "koi8-u",
  28592: "iso-8859-2",
  50220: "iso-2022-jp",
  51932: "euc-jp",
  65001: "utf-8",
};

/** By the number that Windows gives a charset; Western European if it is not known. */
export function charsetOfCodePage(codePage: number): string {
  const named = CODE_PAGES[codePage];
  if (named !== undefined) return named;
  return codePage >= 1250 && codePage <= 1258 ? `windows-${codePage}` : "windows-1252";
}

export function decodeCodePage(bytes: Buffer, codePage: number): string {
  return decode(bytes, charsetOfCodePage(codePage)).text;
}

/** The charset that HTML or XML declares in its first bytes. */
export function declaredCharset(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 4096).toString("latin1");
  const found =
    /<\?xml[^>]{0,200}encoding\s*=\s*["']([\w.:-]+)/i.exec(head) ??
    /<meta[^>]{0,400}?charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head);
  return found?.[1];
}

function decode(bytes: Buffer, charset: string): Decoded {
  return { text: tryDecode(bytes, charset, false) ?? bytes.toString("latin1"), charset };
}

function tryDecode(bytes: Buffer, charset: string, fatal: boolean): string | undefined {
  try {
    return new TextDecoder(charset, { fatal }).decode(bytes);
  } catch {
    // The bytes are not in this charset, or this runtime lacks it.
    return undefined;
  }
}

function known(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    // A file can claim any charset.
    return undefined;
  }
}

function byteOrderMark(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return undefined;
}

/** UTF-16 in an alphabet has a zero or another control byte at every other place. */
function wideWithoutMark(bytes: Buffer): string | undefined {
  const sample = bytes.subarray(0, 2048);
  if (sample.length < 8) return undefined;
  let even = 0;
  let odd = 0;
  for (let at = 0; at < sample.length; at += 1) {
    if ((sample[at] as number) > 8) continue;
    if (at % 2 === 0) even += 1;
    else odd += 1;
  }
  const half = sample.length / 2;
  if (odd > half * 0.4 && even < half * 0.05) return "utf-16le";
  if (even > half * 0.4 && odd < half * 0.05) return "utf-16be";
  return undefined;
}

/** A few invalid bytes in UTF-8 become replacement characters; they do not mean another charset. */
function mostlyUtf8(bytes: Buffer): boolean {
  const text = tryDecode(bytes, "utf-8", false) ?? "";
  let broken = 0;
  let whole = 0;
  for (const character of text) {
    if (character === "\ufffd") broken += 1;
    else if (character > "\u007f") whole += 1;
  }
  return whole > broken * 2;
}

function hasEscapedJapanese(text: string): boolean {
  return text.includes("\u001b$B") || text.includes("\u001b$@");
}

const SAMPLE_BYTES = 1_500;
/** How much of the text beside other bytes shows its language. Far more of it would outweigh them. */
const BESIDE_BYTES = 24;
/** Below this no byte is the second of a character, in any charset of `readWritings`. */
const FIRST_SECOND_BYTE = 0x40;
/** Texts in an alphabet have zeros in UTF-16, and are found by them. */
const WIDE_CHARSETS = ["utf-16le", "utf-16be"];
/** Most files that are not UTF-8 and not in an Asian language; in bits. */
const WESTERN = { charset: "windows-1252", ahead: 2 };

/** The charset in which the bytes are most likely a text of a language that is written in it. */
function byEvidence(bytes: Buffer): string {
  const sample = sampleOf(bytes);
  // The last character of a sample may be cut; that of a file is not.
  const stream = bytes.length > SAMPLE_BYTES;
  const texts = new Map<string, string>();
  const best = { charset: WESTERN.charset, cost: Number.POSITIVE_INFINITY };
  const writings = readWritings();
  for (const writing of writings) {
    const wide = writing.isAlphabet || bytes.length % 2 === 1 ? [] : WIDE_CHARSETS;
    for (const charset of [...writing.charsets, ...wide]) {
      const text = texts.get(charset) ?? new TextDecoder(charset).decode(sample, { stream });
      texts.set(charset, text);
      const cost =
        costOf(text, { writing, english: writings[0] }) -
        (charset === WESTERN.charset ? WESTERN.ahead : 0);
      if (cost < best.cost) Object.assign(best, { charset, cost });
    }
  }
  return best.charset;
}

/** The parts in which charsets differ, wherever in the file they are. ASCII is the same in all. */
function sampleOf(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  const done = { end: 0, size: 0 };
  for (let at = 0; at < bytes.length && done.size < SAMPLE_BYTES; at += 1) {
    if (!isBeyondAscii(bytes, at)) continue;
    const start = startBefore(bytes, at, done.end);
    const end = endAfter(bytes, at, start + SAMPLE_BYTES - done.size);
    parts.push(bytes.subarray(start, end));
    Object.assign(done, { end, size: done.size + end - start });
    at = end - 1;
  }
  return Buffer.concat(parts);
}

const isBeyondAscii = (bytes: Buffer, at: number) => (bytes[at] ?? 0) > 0x7f;

/** At an even place, where a character of two bytes begins in UTF-16. */
function startBefore(bytes: Buffer, at: number, earliest: number): number {
  let start = Math.max(at - BESIDE_BYTES, earliest);
  while (start > earliest && start < at && (bytes[start] ?? 0) >= FIRST_SECOND_BYTE) start += 1;
  return start % 2 === 1 && start > earliest ? start - 1 : start;
}

function endAfter(bytes: Buffer, at: number, latest: number): number {
  const until = Math.min(latest, bytes.length);
  let last = at;
  for (let next = at; next < until && next - last <= BESIDE_BYTES; next += 1) {
    if (isBeyondAscii(bytes, next)) last = next;
  }
  let end = Math.min(last + BESIDE_BYTES, until);
  while (end > last + 2 && (bytes[end - 1] ?? 0) >= FIRST_SECOND_BYTE) end -= 1;
  return end % 2 === 1 && end < until ? end + 1 : end;
}

// Quotation marks, dashes and the like, in all languages.
const SIGNS = new Set("’‘“”„–—…•«»€§°©®™\u00a0²³½·×÷¿¡ªº‚´¨£¢¥±µ¼¾¹");
/** In bits. */
const COST = { ascii: 5.6, sign: 8, foreign: 16, rare: 15, unknown: 20, broken: 26 };
/** More than a small letter. */
const CAPITAL = { first: 3.3, next: 1 };
/** Within a word: a capital, a letter of another script, a sign. */
const IN_WORD = { capital: 6.6, otherScript: 12, sign: 1.7 };

/** How unlikely it is that a text of this language is exactly this one, in bits. */
function costOf(text: string, reading: Reading): number {
  let sum = 0;
  let before = "";
  for (const character of text) {
    sum += costAfter(before, character, reading);
    before = character;
  }
  return sum;
}

interface Reading {
  readonly writing: Writing;
  /** Its words are in texts of every language. */
  readonly english: Writing;
}

function costAfter(before: string, character: string, { writing, english }: Reading): number {
  const alone = writing.isAlphabet ? undefined : writing.costs.get(character);
  if (alone !== undefined) return alone + (isLatin(before) ? IN_WORD.capital : 0);
  if (character < "\u0080" && !isLatin(character)) return COST.ascii;
  const small = character.toLowerCase();
  const own = writing.costAfter(before.toLowerCase(), small);
  const isEnglish = own === undefined && isLatin(character);
  const cost = isEnglish ? english.costAfter(before.toLowerCase(), small) : own;
  if (cost === undefined) return costOfOther(character, before, writing);
  const isMixed = isLetter(before) && isLatin(before) !== isLatin(character) && !writing.isLatin;
  const inWord = isMixed ? IN_WORD.otherScript : 0;
  if (small === character) return cost + inWord;
  if (isUpper(before)) return cost + inWord + CAPITAL.next;
  return cost + inWord + CAPITAL.first + (isLower(before) ? IN_WORD.capital : 0);
}

/** Of a character that is not among the language's own. */
function costOfOther(character: string, before: string, writing: Writing): number {
  if (SIGNS.has(character)) return COST.sign + (isLetter(before) ? IN_WORD.sign : 0);
  if (!writing.isAlphabet && writing.others.test(character))
    return COST.rare + (isLatin(before) ? IN_WORD.capital : 0);
  // Names and words of one Western language are in texts of the others.
  if (writing.charsets[0] === WESTERN.charset && /[À-ÖØ-öø-ÿ]/.test(character)) return COST.foreign;
  return character === "\ufffd" || character < "\u00a0" ? COST.broken : COST.unknown;
}

// By comparing where that is enough: this runs for every character in every charset.
const isLatin = (character: string) =>
  (character >= "a" && character <= "z") || (character >= "A" && character <= "Z");
const isLetter = (character: string) =>
  character < "\u0080" ? isLatin(character) : /\p{L}/u.test(character);
const isLower = (character: string) =>
  character < "\u0080" ? character >= "a" && character <= "z" : /\p{Ll}/u.test(character);
const isUpper = (character: string) =>
  character < "\u0080" ? character >= "A" && character <= "Z" : /\p{Lu}/u.test(character);
