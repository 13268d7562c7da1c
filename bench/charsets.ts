// Texts in the charsets of their language, from a line to a page: how many are read as they were written?
//   node bench/charsets.ts --udhr DIR --data ../shared/data [--half dev|test] [--show 20] [--src DIR]
// DIR has the Declaration of Human Rights (github.com/eric-muller/udhr, data/udhr). Texts of --data are those that
// training/charsets/make.ts did not learn from.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { textsOf } from "../training/charsets/texts.ts";

const { values } = parseArgs({
  options: {
    udhr: { type: "string" },
    data: { type: "string", default: "../shared/data" },
    half: { type: "string", default: "dev" },
    show: { type: "string", default: "0" },
    src: { type: "string", default: join(import.meta.dirname, "../src") },
  },
});
const { decodeText } = (await import(resolve(values.src, "extract/plain/charset.ts"))) as {
  decodeText: (bytes: Buffer) => { text: string };
};

const LATIN_1 = ["windows-1252"];
const LATIN_2 = ["windows-1250", "iso-8859-2"];
const WIDE = ["utf-16le", "utf-16be"];
/** Name of the Declaration's file, charsets, name in the data. */
const LANGUAGES: readonly (readonly [string, readonly string[], string?])[] = [
  ...["deu_1996 de", "fra fr", "spa es", "ita it", "nld nl", "por_BR pt"].map((each) => {
    const [udhr = "", name = ""] = each.split(" ");
    return [udhr, LATIN_1, name] as const;
  }),
  ...["swe", "dan", "nob", "fin", "isl", "cat"].map((udhr) => [udhr, LATIN_1] as const),
  ...["pol", "ces", "slk", "hun", "slv", "hrv", "ron_2006"].map((udhr) => [udhr, LATIN_2] as const),
  ["tur", ["windows-1254"]],
  ...["lit", "lav", "est"].map((udhr) => [udhr, ["windows-1257"]] as const),
  ["rus", ["windows-1251", "koi8-r", "ibm866", "iso-8859-5"], "ru"],
  ["ukr", ["windows-1251", "koi8-u", "iso-8859-5"]],
  ["bul", ["windows-1251"]],
  ["ell_monotonic", ["windows-1253"]],
  ["heb", ["windows-1255"]],
  ["arb", ["windows-1256"]],
  ["tha", ["windows-874"]],
  ["jpn", ["shift_jis", "euc-jp", ...WIDE], "ja"],
  ["cmn_hans", ["gb18030", ...WIDE], "zh_Hans"],
  ["cmn_hant", ["big5", ...WIDE], "zh_Hant"],
  ["kor", ["euc-kr", ...WIDE], "ko"],
];
const LENGTHS = [20, 50, 100, 500, 5_000];
const EACH = 30;

const digest = (text: string) => createHash("sha256").update(text).digest()[0] ?? 0;

/** Paragraphs of one half: the first is for choosing, the second decides. */
function paragraphs(udhr: string, name: string | undefined): readonly string[] {
  const declared = readFileSync(join(values.udhr ?? "", `udhr_${udhr}.xml`), "utf8")
    .split(/<(?:para|title)>/)
    .map((part) => (part.split("<")[0] ?? "").trim());
  // Texts with an odd digest were for training.
  const ours =
    name === undefined ? [] : textsOf(values.data, name).filter((each) => digest(each) % 2 === 0);
  const half = values.half === "dev" ? 0 : 1;
  return [...declared, ...ours.slice(0, 4_000)]
    .filter((each) => each.length > 10 && (digest(each) >> 1) % 2 === half)
    .map((each) =>
      each
        .normalize("NFC")
        .replaceAll("ș", "ş")
        .replaceAll("ț", "ţ")
        .replaceAll("Ș", "Ş")
        .replaceAll("Ț", "Ţ"),
    );
}

/** What `TextDecoder` reads, the other way round; characters that the charset lacks are left out. */
function openEncoder(charset: string): (text: string) => Buffer {
  if (charset === "utf-8") return (text) => Buffer.from(text);
  if (charset === "utf-16le") return (text) => Buffer.from(text, "utf16le");
  if (charset === "utf-16be") return (text) => Buffer.from(text, "utf16le").swap16();
  const decoder = new TextDecoder(charset);
  const bytes = new Map<string, readonly number[]>();
  const learn = (...sequence: readonly number[]) => {
    const character = decoder.decode(Uint8Array.from(sequence));
    if (character.length === 1 && character !== "\ufffd" && !bytes.has(character))
      bytes.set(character, sequence);
  };
  for (let one = 0; one < 256; one += 1) learn(one);
  if (!/^(?:windows|iso|koi|ibm)/.test(charset))
    for (let one = 0x81; one < 0xff; one += 1)
      for (let two = 0x40; two < 0xff; two += 1) learn(one, two);
  return (text) => Buffer.from([...text].flatMap((character) => bytes.get(character) ?? []));
}

/** Whole characters, at most so many bytes. */
function cut(text: string, length: number, encode: (text: string) => Buffer): Buffer {
  const parts: Buffer[] = [];
  let size = 0;
  for (const character of text) {
    const bytes = encode(character);
    if (size + bytes.length > length) break;
    parts.push(bytes);
    size += bytes.length;
  }
  return Buffer.concat(parts);
}

const right = new Map<string, [right: number, all: number]>();
const count = (key: string, isRight: boolean) => {
  const [good, all] = right.get(key) ?? [0, 0];
  right.set(key, [good + (isRight ? 1 : 0), all + 1]);
};
let shown = 0;
for (const [udhr, charsets, name] of LANGUAGES) {
  const texts = paragraphs(udhr, name);
  for (const charset of [...charsets, "utf-8"]) {
    const encode = openEncoder(charset);
    for (const length of LENGTHS) {
      for (let at = 0; at < EACH; at += 1) {
        const from = Math.floor((at * texts.length) / EACH);
        const bytes = cut(
          [...texts.slice(from), ...texts].join("\n").slice(0, length * 2),
          length,
          encode,
        );
        const isRight = decodeText(bytes).text === new TextDecoder(charset).decode(bytes);
        const isPlain = bytes.every((byte) => byte < 0x80);
        const kind = charset === "utf-8" ? "UTF-8" : "others";
        count(`${length} bytes, ${kind}`, isRight);
        if (!isPlain && kind === "others") count(`${length} bytes, not only ASCII`, isRight);
        if (!isPlain && length <= 50 && kind === "others")
          count(`  up to 50 bytes: ${udhr} ${charset}`, isRight);
        if (!isRight && shown < Number(values.show)) {
          shown += 1;
          process.stdout.write(
            `${udhr} ${charset} ${length}: ${new TextDecoder(charset).decode(bytes).slice(0, 60)} → ${decodeText(bytes).text.slice(0, 60)}\n`,
          );
        }
      }
    }
  }
}
for (const [key, [good, all]] of right) {
  if (key.startsWith("  ") && good === all) continue;
  process.stdout.write(`${key.padEnd(48)} ${good} of ${all}: ${(good / all).toFixed(3)}\n`);
}
