import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mergeChunks } from "../../scripts/merge-chunks.ts";
import { PACKAGE } from "../support/shipped.ts";

const dist = join(PACKAGE, "dist");

/** The files that a file of the program loads with itself. */
function loadedWith(name: string): ReadonlySet<string> {
  const loaded = new Set([name]);
  for (const each of loaded) {
    const text = readFileSync(join(dist, each), "utf8");
    for (const [, next = ""] of text.matchAll(/\b(?:from|import)"\.\/([^"]+)"/g)) loaded.add(next);
  }
  return loaded;
}

test("the program starts from few files", () => {
  expect(loadedWith("main.js").size).toBeLessThanOrEqual(12);
});

test("nothing that was built names a file of the machine that built it", () => {
  const names = readdirSync(dist, { recursive: true, encoding: "utf8" });
  const texts = names.filter((name) => /\.(js|html|css)$/.test(name));
  expect(texts.some((name) => name.startsWith("console"))).toBe(true);
  const source = join(PACKAGE, "src");
  const found = texts.filter((name) => readFileSync(join(dist, name), "utf8").includes(source));
  expect(found).toEqual([]);
});

const settings = { format: "esm", minifySyntax: true, minifyWhitespace: true } as const;
const imported = (path: string) => ({ path, kind: "import-statement" }) as const;
const output = { bytes: 0, inputs: {}, exports: [], imports: [] };

const FILES = new Map([
  ["main.js", 'import{a as first}from"./chunk-AA.js";console.log(first);import("./late.js");'],
  ["late.js", 'import{a}from"./chunk-AA.js";import{b}from"./chunk-BB.js";export{a,b};'],
  ["deep/own.js", 'import{c}from"../chunk-CC.js";import"../chunk-AA.js";'],
  ["chunk-AA.js", 'import{a as inner}from"./chunk-BB.js";var a=inner+1;export{a};'],
  ["chunk-BB.js", "var a=1,b=2;export{a,b};"],
  ["chunk-CC.js", "var c=3;export{c};"],
]);
const OUTPUTS = {
  "main.js": { ...output, entryPoint: "src/begin.ts", imports: [imported("chunk-AA.js")] },
  "late.js": { ...output, imports: [imported("chunk-AA.js"), imported("chunk-BB.js")] },
  "chunk-AA.js": { ...output, exports: ["a"], imports: [imported("chunk-BB.js")] },
  "chunk-BB.js": { ...output, exports: ["a", "b"] },
  "chunk-CC.js": { ...output, exports: ["c"] },
};

test("the chunks of one start become one file, and their importers use it", async () => {
  const options = { starts: [["src/begin.ts"]], banner: "/* banner */", settings };
  const files = await mergeChunks(FILES, OUTPUTS, options);
  const start = [...files.keys()].find((name) => name.startsWith("start-")) ?? "";
  expect([...files.keys()].sort()).toEqual([
    "chunk-CC.js",
    "deep/own.js",
    "late.js",
    "main.js",
    start,
  ]);
  expect(files.get("main.js")).toContain(`import{a_AA as first}from"./${start}"`);
  expect(files.get("deep/own.js")).toContain(`import"../${start}"`);
  const url = (text = "") => `data:text/javascript,${encodeURIComponent(text)}`;
  expect(await import(url(files.get(start)))).toMatchObject({ a_AA: 2, a_BB: 1, b_BB: 2 });
});

test("a chunk that cannot be redirected fails the build", async () => {
  const odd = new Map([...FILES, ["late.js", 'import*as all from"./chunk-AA.js";']]);
  const options = { starts: [["src/begin.ts"]], banner: "", settings };
  await expect(mergeChunks(odd, OUTPUTS, options)).rejects.toThrow("late.js takes chunk-AA.js");
});
