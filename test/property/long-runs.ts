// Long runs of every class of character, and of pairs of them, which make careless regular expressions slow. Started as a
// process, it runs every text function on each and prints the CPU time: one that never returns can be killed, and is
// identified by the last line.
import { TEXT_FUNCTIONS } from "./text-functions.ts";

const CLASSES: Readonly<Record<string, string>> = {
  space: " ",
  tab: "\t",
  newline: "\n",
  pipe: "|",
  dash: "-",
  hash: "#",
  star: "*",
  backtick: "`",
  bracket: "[",
  "closing bracket": "]",
  parenthesis: "(",
  less: "<",
  ampersand: "&",
  quote: '"',
  brace: "{",
  underscore: "_",
  dot: ".",
  comma: ",",
  colon: ":",
  backslash: "\\",
  letter: "a",
  capital: "A",
  digit: "7",
  wide: "語",
  kana: "ア",
  mark: "\u0301",
  emoji: "👩‍💻",
};

/** Openings that are never closed, list items, table rows, headings and the like. */
const PAIRS: readonly string[] = [
  ...[" \n", "\n \n", "a ", "a\n", "| ", "|-", "- ", "# ", "``` ", "[a](", "<a ", "<!-- "],
  ...["<style>", "& ", "a. ", "a-", "a{", "/*", "語。", "a\u0301", "\r\n", ". "],
  ...["what ", "when ", "mean "],
];
const MORE_PAIRS: readonly string[] = [
  ...["\n\n ", "-\n", "## a\n", "* ", "** ", "` ", "[a]: ", "![", "<b>a", "&amp", "a.", "1. "],
  ...["1,", "a_", "{a", "a:", ";a", "@a{", "\\n", "語 ", "ア\n", "\u200b", "...", "a@", "://"],
  ...["Bearer ", "ignore ", "you are a ", "-----BEGIN ", "AKIA", "ghp_", "1 0 obj ", "/Pages "],
  ...['"a"', "--- ", "title: ", "=+", "~~~", "> ", "\t-", "E+0", "0.", "“", "<!---->"],
];

/** `all`: pairs that seldom matter too. */
export function longRuns(characters: number, all: boolean): ReadonlyMap<string, string> {
  const run = (unit: string) => unit.repeat(Math.ceil(characters / unit.length));
  return new Map([
    ...Object.entries(CLASSES).map(([name, unit]) => [name, run(unit)] as const),
    ...[...PAIRS, ...(all ? MORE_PAIRS : [])].map(
      (unit) => [JSON.stringify(unit), run(unit)] as const,
    ),
    // A run in the middle of a line: what "trailing space" patterns try again at every character.
    ...[" ", "\t", "\n", "-", "#", "a", "語"].map(
      (unit) => [`a, ${JSON.stringify(unit)}, b`, `a${run(unit)}b`] as const,
    ),
  ]);
}

if (import.meta.main) {
  const [, , characters = "", all = ""] = process.argv;
  for (const [run, text] of longRuns(Number(characters), all === "all")) {
    for (const [name, work] of Object.entries(TEXT_FUNCTIONS)) {
      process.stdout.write(`${name} on ${run}`);
      const before = process.cpuUsage();
      try {
        await work(text);
      } catch {
        // An error is fine; only the time counts.
      }
      const { user } = process.cpuUsage(before);
      process.stdout.write(`\t${Math.round(user / 1000)}\n`);
    }
  }
}
