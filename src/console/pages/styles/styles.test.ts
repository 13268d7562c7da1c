import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

const pages = join(import.meta.dirname, "..");
const names = (await readdir(pages, { recursive: true })).filter((name) => name.endsWith(".css"));
const texts = await Promise.all(names.map((name) => readFile(join(pages, name), "utf8")));
const files = names.map((name, at) => ({
  name,
  text: (texts[at] ?? "").replace(/\/\*[\s\S]*?\*\//g, ""),
}));

/** Ids, classes and the like, elements. */
function specificityOf(selector: string): string {
  const ids = selector.match(/#[\w-]+/g) ?? [];
  const classes = selector.match(/\.[\w-]+|\[[^\]]*\]|(?<!:):(?!is|where|not|has)[\w-]+/g) ?? [];
  const elements = selector.match(/(?<![\w.#:[-])[a-z]\w*|::[\w-]+/g) ?? [];
  return [ids, classes, elements].map(({ length }) => length).join();
}

/** All of its arguments count as much as the one that counts most, which then outranks single classes. */
function uneven(css: string): readonly string[] {
  const lists = [...css.matchAll(/:is\(((?:[^()]|\([^()]*\))*)\)/g)];
  return lists.flatMap(([whole, inside = ""]) =>
    new Set(inside.split(/,\s*/).map(specificityOf)).size > 1 ? [whole] : [],
  );
}

test.each(files)("$name has no :is() that raises one of its selectors", ({ text }) => {
  expect(uneven(text)).toEqual([]);
});

test("a planted one is found", () => {
  expect(uneven(":is(.tasks, tbody th) a { color: red }")).toEqual([":is(.tasks, tbody th)"]);
  expect(uneven(":is(.a, .b) :is(h1, h2) { color: red }")).toEqual([]);
});

test("every file of the console is in a layer, so that its place decides and not its selectors", () => {
  const { text = "" } = files.find(({ name }) => name.endsWith("console.css")) ?? {};
  const imports = [...text.matchAll(/@import "\.\/(\w+)\.css"([^;]*);/g)];
  expect(imports.length).toBe(names.filter((name) => name.startsWith("styles/")).length - 1);
  const unlayered = imports.filter(([, , layer = ""]) => !/layer\(\w+\)/.test(layer));
  expect(unlayered.map(([, name]) => name)).toEqual(["tokens"]);
});
