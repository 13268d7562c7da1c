import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

test("pages show errors by their code, never by the server's sentence", async () => {
  const pages = join(import.meta.dirname, "pages");
  const names = (await readdir(pages, { recursive: true })).filter((name) => name.endsWith(".tsx"));
  expect(names.length).toBeGreaterThan(20);
  const texts = await Promise.all(names.map((name) => readFile(join(pages, name), "utf8")));
  const past = /thrown\.message|error\.message|String\(thrown\)/;
  expect(names.filter((_, at) => past.test(texts[at] ?? ""))).toEqual([]);
});

test("styles that load with the first opened document are for the viewer only", async () => {
  const path = join(import.meta.dirname, "pages", "document", "viewer.css");
  const styles = (await readFile(path, "utf8")).replace(/\/\*[\s\S]*?\*\//g, "");
  const selectors = [...styles.matchAll(/(?<=^|[{}])([^{}@;]+)\{/g)].flatMap(([, list = ""]) =>
    list.split(/,(?![^(]*\))/).map((selector) => selector.trim()),
  );
  expect(selectors.length).toBeGreaterThan(50);
  expect(selectors.filter((selector) => !/^(?:main:has\()?\.viewer/.test(selector))).toEqual([]);
});
