// Words that make the project read like a translation. docs/glossary.md has the ones to use.
import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

const AVOIDED: readonly (readonly [RegExp, string])[] = [
  [/\bmend(s|ed|ing|er|ers)?\b/i, "fix, repair, reindex"],
  [/\b(told|tells|telling)\b/i, "reported, shows, logged"],
  [/\bstands?\b(?! for\b)|\bstood\b|\bstanding\b/i, "is, appears, lives"],
  [/\b(is|are|was|were|be|stays?|goes|gone|went) away\b/i, "unavailable, disconnected"],
  [/\bthe base\b(?! (class|form|address|name))/i, "the knowledge base"],
  [/\bwhether it is well\b/i, "health"],
  [/\ba minute and client\b/i, "per minute per client"],
  [/\bleast level\b/i, "minimum log level"],
  [/\bbegins? elsewhere\b/i, "uses another seed"],
  [/\bgoes before\b/i, "takes precedence over"],
  [/\bat rest\b/i, "idle"],
  [/\bwords (local )?answers\b/i, "phrases, generates"],
  [/\bborne out\b|\bbears? out\b/i, "supports"],
  [/\bbroken off\b/i, "interrupted, cancelled"],
  [/\bof one's own\b/i, "your own, the user's"],
  [/\blets? go of\b/i, "releases, removes"],
  [/\b(can|cannot|could) be had\b|\bhad again\b|\bis had\b/i, "is available, can be restored"],
  [/\bcomes? of it\b/i, "the result"],
  [/\bat hand\b/i, "available, given"],
  [/\bgiven out\b/i, "issued, returned"],
  [/\bwait a little\b/i, "retry in N s"],
  [/\btoo much to do\b/i, "overloaded"],
  [/\bnobody can be asked\b/i, "stdin is not a terminal"],
  [/\bat a load of\b/i, "at load N"],
  [/\b(is|are|was) no (JSON|YAML|backup|address)\b/i, "is not JSON, is not a backup"],
  [/\bspeaks up\b/i, "warns"],
  [/\btell\s*[(:=]/, "notify, report, send"],
  [/Offer\b|\boffersOf\b/, "ToolFamily"],
  [/\btool('s)? answers?\b|\bwas answered\b|\bis never answered\b/i, "result, response"],
  [/\bfor good\b/i, "permanently, forever"],
  [/\banew\b/i, "again"],
  [/\b(?<!one )of (its|their|our|your|his|her) own\b(?! \w)/i, "its own X, a separate X"],
  [/\bat first need\b/i, "on first use"],
  [/\b(in|out)side of\b/i, "inside, outside"],
  [/\b(said|says?|saying|told) of\b/i, "says about"],
  [/\b(became|becomes?) of\b/i, "the outcome of"],
  [/\b(came|comes?) about\b/i, "is computed, happens"],
  [/\bother \w+ than\b/i, "X other than Y"],
  [/\banother \w+ than\b/i, "a different X from Y"],
  [/\bunder way\b/i, "in progress"],
  [/\bin words of\b/i, "with its own message"],
  [/\bwhat nobody \w+:/i, "a sentence with a subject"],
  [/\b(is|are|was|were) given back\b/i, "is returned, released, freed"],
  [
    /(?<!there )\b(is|are|was) no (text|object|path|number|tag|key|function|extension|setting)\b/i,
    "is not a",
  ],
  [/\bno longer (any )?more\b|\bfound no more\b/i, "no longer"],
  [/\bas (it|they) came\b/i, "unchanged"],
  [/\bin vain\b/i, "without result"],
  [
    /\b(ms|kB|MB|bytes|milliseconds|CPU-seconds) an? (chunk|key|page|file|document|call|request|row)\b/i,
    "per",
  ],
];

/** What people read: source with its comments and messages, documents, scripts. Tests name the words to find them. */
function files(): readonly string[] {
  const tracked = execFileSync(
    "git",
    [
      "ls-files",
      "--cached",
      "--others",
      "--exclude-standard",
      "src",
      "bin",
      "scripts",
      "docs",
      "*.md",
    ],
    { cwd: root, encoding: "utf8" },
  );
  const names = tracked.split("\n").filter((name) => /\.(ts|tsx|js|md|html|css)$/.test(name));
  return names.filter((name) => !/\.ja\.md$|\.test\.ts$/.test(name));
}

function findAvoided(name: string, text: string): readonly string[] {
  return text.split("\n").flatMap((line, at) =>
    AVOIDED.flatMap(([pattern, better]) => {
      const found = pattern.exec(line);
      return found ? [`${name}:${at + 1} "${found[0]}" → ${better}`] : [];
    }),
  );
}

test("the project uses plain English", async () => {
  const texts = await Promise.all(
    files().map(async (name) => [name, await readFile(join(root, name), "utf8")] as const),
  );
  expect(texts.flatMap(([name, text]) => findAvoided(name, text))).toEqual([]);
});

const NAME =
  /\b(?:test|describe)(?:\.\w+)*(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?\(\s*(["`])((?:\\.|(?!\1).)*)\1/gs;

/** The names of its tests: what a reader of a report sees. */
function testNames(text: string): readonly string[] {
  return [...text.matchAll(NAME)].map(([, , name = ""]) => name);
}

test("tests have names in plain English", () => {
  const paths = globSync(["src/**/*.test.ts", "test/**/*.ts"], { cwd: root });
  const named = paths
    .filter((path) => path !== "test/plain-english.test.ts")
    .map((path) => [path, testNames(readFileSync(join(root, path), "utf8"))] as const);
  expect(named.reduce((sum, [, names]) => sum + names.length, 0)).toBeGreaterThan(1_000);
  expect(named.flatMap(([path, names]) => findAvoided(path, names.join("\n")))).toEqual([]);
});

test.each([
  'test("everybody is told", () => {});',
  'describe.each(WAYS)("%s stands", () => {});',
  'test.skipIf(!database?.restart)(\n  "the model is away", () => {});',
])("the name in %s is found", (text) => {
  expect(findAvoided("planted.test.ts", testNames(text).join("\n"))).toHaveLength(1);
});

test.each([
  "The file is mended first.",
  "Nobody is told.",
  "It stands in the text.",
  "The model is away.",
  "what the base holds",
  "The upload was broken off.",
  "a model of one's own",
  "The body is no JSON.",
  "Remove all documents, for good.",
  "The page is made anew.",
  "Each file runs in a process of its own.",
  "Rooms open at first need.",
  "What became of the files.",
  "How a score came about.",
  "Texts in other languages than English.",
  "The model takes 20 ms a chunk.",
  "A path that is no text is refused.",
  "What nobody caught: the state is unknown.",
])("%s is found", (line) => {
  expect(findAvoided("planted.ts", line)).toHaveLength(1);
});

test.each([
  "Understand the standard.",
  "three pixels away from it",
  "base64 of the base class",
  "It loses one of its own sessions.",
  "There is no text on the page.",
  "The file is outside the folder.",
])("%s is fine", (line) => {
  expect(findAvoided("planted.ts", line)).toEqual([]);
});
