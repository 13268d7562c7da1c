// Writes src/extract/plain/letter-costs.ts: how likely letters are in each language, and after which other letter, by
// which `charset.ts` tells charsets apart. From Django's translations (BSD), and the training halves of the questions and
// pairs in shared/data (NOTICE lists them):
//
//   git clone --depth 1 https://github.com/django/django
//   node training/charsets/make.ts --django django --data ../shared/data
//
// A cost is a quarter of a bit, one character of CODE. Texts with an odd digest are for training; bench/charsets.ts
// measures on the others, and on the Declaration of Human Rights.
import { createHash } from "node:crypto";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { textsOf } from "./texts.ts";

const { values } = parseArgs({
  options: { django: { type: "string" }, data: { type: "string", default: "../shared/data" } },
});
if (values.django === undefined) throw new Error("--django DIR is needed");
const { django, data } = values;

const LATIN_1 = ["windows-1252"];
const LATIN_2 = ["windows-1250", "iso-8859-2"];
const BALTIC = ["windows-1257"];
const CYRILLIC = ["windows-1251", "koi8-u", "ibm866", "iso-8859-5"];
/** By Django's names. English comes first: its letters count in texts of every script. */
const ALPHABETS: readonly (readonly [languages: string, charsets: readonly string[]])[] = [
  ["en de es fr it nl pt sv da nb fi is ca sq ga eu gl", LATIN_1],
  ["pl cs sk hu sl hr ro", LATIN_2],
  ["tr", ["windows-1254"]],
  ["lt lv et", BALTIC],
  ["ru uk bg sr mk be", CYRILLIC],
  ["el", ["windows-1253", "iso-8859-7"]],
  ["he", ["windows-1255"]],
  ["ar", ["windows-1256"]],
  ["th", ["windows-874"]],
];
const IDEOGRAPHS: readonly (readonly [languages: string, charsets: readonly string[]])[] = [
  ["ja", ["shift_jis", "euc-jp"]],
  ["zh_Hans", ["gb18030"]],
  ["zh_Hant", ["big5"]],
  ["ko", ["euc-kr"]],
];
const CODE = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+/";
/** What is too rare in a language's texts is a name or an error. */
const MIN_SHARE = 0.00004;
const MAX_IDEOGRAPHS = 1_500;

/** Odd ones are for training. */
export function isForTraining(text: string): boolean {
  return ((createHash("sha256").update(text).digest()[0] ?? 0) & 1) === 1;
}

function trainingText(language: string): string {
  const translated = globSync(`django/**/locale/${language}/LC_MESSAGES/django.po`, { cwd: django })
    .toSorted()
    .flatMap((path) => translations(readFileSync(join(django, path), "utf8")));
  return [...translated, ...textsOf(data, language).filter(isForTraining)].join("\n");
}

/** Without placeholders and tags. */
function translations(po: string): readonly string[] {
  const entries = po
    .split(/\n\n+/)
    .slice(1)
    .filter((entry) => !entry.includes("#, fuzzy"));
  return entries.flatMap((entry) =>
    [...entry.matchAll(/^msgstr(?:\[\d\])? ((?:".*"\s*)+)/gm)].map(([, quoted = ""]) =>
      quoted.replace(/"\s*"|^"|"\s*$/g, "").replace(/%\(\w+\)\w|%\w|<[^<>]*>|\\\w/g, " "),
    ),
  );
}

const cost = (chance: number) => CODE[Math.min(63, Math.round(-Math.log2(chance) * 4))] ?? "/";

/** Costs of each letter alone, then after the end of a word and after each letter. */
function alphabetOf(text: string) {
  // Romanian's letters with a comma are in no charset but Unicode.
  const lower = text.normalize("NFC").toLowerCase().replaceAll("ș", "ş").replaceAll("ț", "ţ");
  const counts = new Map<string, number>();
  for (const [letter] of lower.matchAll(/[\p{L}\p{M}]/gu))
    counts.set(letter, (counts.get(letter) ?? 0) + 1);
  const sumOf = (wanted: RegExp) =>
    [...counts].reduce((sum, [letter, count]) => sum + (wanted.test(letter) ? count : 0), 0);
  // Each script has its own table, and words of another one are in all of them.
  const isOwn =
    sumOf(/\p{Script=Latin}/u) > sumOf(/./u) / 2 ? /\p{Script=Latin}/u : /[^\p{Script=Latin}ºª]/u;
  const all = sumOf(isOwn);
  const own = [...counts].filter(
    ([letter, count]) => isOwn.test(letter) && count > all * MIN_SHARE,
  );
  const letters = own.map(([letter]) => letter);
  const place = new Map(letters.map((letter, at) => [letter, at + 1]));
  const size = letters.length + 1;
  const pairs = Array.from({ length: size }, () => new Float64Array(size));
  let before = 0;
  for (const character of lower) {
    const at = place.get(character) ?? 0;
    if (at > 0 || before > 0) (pairs[before] as Float64Array)[at] = (pairs[before]?.[at] ?? 0) + 1;
    before = at;
  }
  const sums = letters.map((letter) => (counts.get(letter) ?? 0) / all);
  const rows = pairs.map((row) => {
    const sum = row.reduce((total, count) => total + count, 0);
    // Smoothed by the letters alone: a pair that was never seen is not impossible.
    return [...row.slice(1)].map((count, at) => (count + 3 * (sums[at] ?? 0) + 0.02) / (sum + 4));
  });
  return [letters.join(""), sums.map(cost).join(""), rows.flat().map(cost).join("")];
}

function ideographsOf(text: string) {
  const counts = new Map<string, number>();
  for (const [character] of text.matchAll(/[^\p{ASCII}\s]/gu))
    counts.set(character, (counts.get(character) ?? 0) + 1);
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const top = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, MAX_IDEOGRAPHS);
  return [
    top.map(([character]) => character).join(""),
    top.map(([, count]) => cost(count / all)).join(""),
  ];
}

const tables = [
  ...ALPHABETS.flatMap(([languages, charsets]) =>
    languages.split(" ").map((each) => [charsets.join(" "), ...alphabetOf(trainingText(each))]),
  ),
  ...IDEOGRAPHS.map(([each, charsets]) => [
    charsets.join(" "),
    ...ideographsOf(trainingText(each)),
  ]),
];
const lines = tables.map((table) => table.join("|")).join("\n");
writeFileSync(
  join(import.meta.dirname, "../../src/extract/plain/letter-costs.ts"),
  `// Made by training/charsets/make.ts, which says what is in it: charsets | letters | costs | costs after each letter.\nexport const LETTER_COSTS = \`\\\n${lines}\`;\n`,
);
process.stdout.write(`${tables.length} languages, ${lines.length} characters\n`);
