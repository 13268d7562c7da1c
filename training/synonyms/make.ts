// Writes models/synonyms/synonyms.txt.br from Debian's package edict (EDICT by the Electronic Dictionary Research and
// Development Group, CC BY-SA):
//
//   apt-get download edict && dpkg-deb -x edict_*.deb edict
//   node training/synonyms/make.ts --edict edict/usr/share/edict/edict
//
// A line is an entry: its spellings, a tab, one spelling of each entry with a similar meaning; both separated by spaces.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { brotliCompressSync, constants } from "node:zlib";

// edict 2021.02.03-1
const EDICT_SHA256 = "59063c08240f096e6d22152a58c0c8ef3a84ff95ce8a59bbf3a3522aa097a526";
const MAX_SYNONYMS = 10;
// Glosses that more entries share say too little ("person", "plant").
const MAX_SHARING = 60;
const MAX_WORD_LENGTH = 12;
const MIN_SCORE = 0.4;
// What a compound counts that is not marked as common.
const COMPOUND = 0.7;

const { values } = parseArgs({
  options: {
    edict: { type: "string" },
    out: { type: "string", default: join(import.meta.dirname, "../../models/synonyms") },
  },
});

interface Entry {
  readonly spellings: string[];
  readonly glosses: readonly string[];
  isCommon: boolean;
}

const bytes = readFileSync(values.edict ?? "/usr/share/edict/edict");
if (sha256(bytes) !== EDICT_SHA256) throw new Error("This is not the edict of 2021.02.03-1.");
const entries = readEntries(new TextDecoder("euc-jp").decode(bytes));
const common = commonEntries(entries);
const synonyms = synonymsOf(common);
const lines = common.flatMap((entry, at) => {
  const meant = synonyms[at] ?? [];
  if (entry.spellings.length < 2 && meant.length === 0) return [];
  return `${entry.spellings.join(" ")}\t${meant.map(({ spellings }) => spellings[0]).join(" ")}`;
});
const text = lines.toSorted().join("\n");
const packed = brotliCompressSync(text, {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
});
writeFileSync(join(values.out, "synonyms.txt.br"), packed);
const sum = `${sha256(packed)}  synonyms.txt.br\n`;
writeFileSync(join(values.out, "synonyms.txt.br.sha256"), sum);
process.stdout.write(
  `${lines.length} entries, ${text.length} characters, ${packed.length} bytes\n`,
);

function sha256(data: Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/** EDICT has a line for each spelling of an entry; lines with the same reading and glosses belong together. */
function readEntries(edict: string): readonly Entry[] {
  const found = new Map<string, Entry>();
  for (const line of edict.split("\n").slice(1)) {
    const [, spelling = "", reading = spelling, rest = ""] =
      /^(\S+)(?: \[(.+?)\])? \/(.+)\/$/.exec(line) ?? [];
    if (!isNoun(rest) || !isWritten(spelling, rest)) continue;
    const meaning = rest.replace(/\((?:P|io|i[Kk]|ateji)\)/g, "").replace(/\/\s*$/, "");
    const key = `${plainReading(reading)} ${meaning.replace(/\s+/g, " ").trim()}`;
    const entry = found.get(key) ?? { spellings: [], glosses: glossesOf(rest), isCommon: false };
    found.set(key, entry);
    if (entry.spellings.includes(spelling)) continue;
    // The spelling that is marked as common comes first.
    if (rest.endsWith("(P)") && !entry.isCommon) entry.spellings.unshift(spelling);
    else entry.spellings.push(spelling);
    entry.isCommon ||= rest.endsWith("(P)");
  }
  return [...found.values()];
}

/** Verbs and adjectives are written with endings that the dictionary does not have. */
function isNoun(rest: string): boolean {
  return /^(?:\(\w+\) )?\((?:[\w-]+,)*(?:n|n-suf|n-t|n-adv|adj-na)(?:,[\w-]+)*\)/.test(rest);
}

/** Old spellings are left out, and words in hiragana, which the word index does not hold. */
function isWritten(spelling: string, rest: string): boolean {
  if (/\((?:ok|oK|arch|obs|X)\)/.test(rest)) return false;
  if (spelling.length < 2 || spelling.length > MAX_WORD_LENGTH) return false;
  return (
    /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]+$/u.test(spelling) &&
    /[\p{sc=Han}\p{sc=Katakana}]/u.test(spelling)
  );
}

/** ソフトウェア and ソフトウエア are spellings of one word. */
function plainReading(reading: string): string {
  const large = (kana: string) => String.fromCharCode(kana.charCodeAt(0) + 1);
  return reading.replace(/[ー・]/g, "").replace(/[ァィゥェォッャュョ]/g, large);
}

function glossesOf(rest: string): readonly string[] {
  const plain = rest.split("/").map((gloss) =>
    gloss
      .replace(/\([^()]*\)/g, " ")
      .replace(/\s+/g, " ")
      .trim()
      .toLowerCase()
      .replace(/^(?:a|an|the) /, ""),
  );
  return [...new Set(plain.filter((gloss) => gloss !== ""))];
}

/** Those marked as common, and compounds of two or three of them: 提出期限. */
function commonEntries(all: readonly Entry[]): readonly Entry[] {
  const marked = all.filter(({ isCommon }) => isCommon);
  const words = new Set(marked.flatMap(({ spellings }) => spellings));
  const isCompound = (word: string, parts: number): boolean =>
    (parts < 3 && words.has(word)) ||
    (parts > 1 &&
      Array.from({ length: Math.max(0, word.length - 3) }, (_, at) => at + 2).some(
        (cut) => words.has(word.slice(0, cut)) && isCompound(word.slice(cut), parts - 1),
      ));
  return all.filter(
    ({ isCommon, spellings }) => isCommon || spellings.some((word) => isCompound(word, 3)),
  );
}

/** By the cosine of their glosses: the more entries share one, and the later it comes, the less it counts. */
function synonymsOf(all: readonly Entry[]): readonly (readonly Entry[])[] {
  const sharing = new Map<string, number[]>();
  for (const [at, { glosses }] of all.entries()) {
    for (const gloss of glosses) {
      const holders = sharing.get(gloss) ?? [];
      sharing.set(gloss, holders);
      holders.push(at);
    }
  }
  const vectors = all.map(({ glosses }) => {
    const weights = glosses.map((gloss, rank) => {
      const count = sharing.get(gloss)?.length ?? 1;
      return [gloss, Math.log(all.length / count) / Math.sqrt(rank + 1)] as const;
    });
    const length = Math.hypot(...weights.map(([, weight]) => weight));
    return new Map(weights.map(([gloss, weight]) => [gloss, weight / length]));
  });
  const near = (vector: ReadonlyMap<string, number>, at: number) => {
    const holders = [...vector.keys()].map((gloss) => sharing.get(gloss) ?? []);
    const others = new Set(holders.filter(({ length }) => length <= MAX_SHARING).flat());
    others.delete(at);
    const scored = [...others].map((other) => [other, scoreOf(vector, other)] as const);
    return scored.filter(([, score]) => score >= MIN_SCORE).sort(([, a], [, b]) => b - a);
  };
  const scoreOf = (vector: ReadonlyMap<string, number>, other: number) => {
    const products = [...vector].map(
      ([gloss, weight]) => weight * (vectors[other]?.get(gloss) ?? 0),
    );
    const cosine = products.reduce((sum, each) => sum + each, 0);
    return all[other]?.isCommon ? cosine : cosine * COMPOUND;
  };
  return vectors.map((vector, at) =>
    near(vector, at)
      .slice(0, MAX_SYNONYMS)
      .map(([other]) => all[other] as Entry),
  );
}
