// Documentation checks: every link, anchor and named file exists, every page is in the index, and the first
// pages stay short.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const LIMITS = { "README.md": 150, "README.ja.md": 150, "ARCHITECTURE.md": 200, "AGENTS.md": 80 };

const tracked = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: ROOT,
  encoding: "utf8",
}).split("\n");
const pages = tracked.filter(
  (path) => /^(\w[\w.]*\.md|docs\/.*\.md)$/.test(path) && existsSync(join(ROOT, path)),
);
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

/** As GitHub makes them. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = text.replace(/^```.*?^```/gms, "").matchAll(/^#+ (.+)$/gm);
  const toAnchor = (heading: string) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M} _-]/gu, "")
      .replaceAll(" ", "-");
  return new Set([...headings].map(([, heading = ""]) => toAnchor(heading)));
}

function brokenLinks(page: string, text: string): readonly string[] {
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
  const local = links.filter((target) => !/^[a-z]+:/.test(target));
  return local.filter((target) => {
    const [path = "", anchor] = target.split("#");
    const file = path === "" ? page : normalize(join(dirname(page), path));
    if (!existsSync(join(ROOT, file))) return true;
    return anchor !== undefined && !anchorsOf(read(file)).has(decodeURIComponent(anchor));
  });
}

/** Files and folders of the project that a page names in backticks, from the top or from `src`. */
function missingFiles(text: string): readonly string[] {
  const named = [
    ...text.matchAll(/`([a-z][\w-]*(?:\/[\w./-]+\.(?:ts|tsx|js|json)|(?:\/[a-z][\w-]*)+\/))`/g),
  ];
  const isThere = (path: string) => ["", "src"].some((top) => existsSync(join(ROOT, top, path)));
  return named.map(([, path = ""]) => path).filter((path) => !isThere(path));
}

test("every link leads to a page, and its anchor to a heading", () => {
  expect(pages.length).toBeGreaterThan(20);
  const broken = pages.flatMap((page) =>
    brokenLinks(page, read(page)).map((target) => `${page}: ${target}`),
  );
  expect(broken).toEqual([]);
});

test("every file that a page names is there", () => {
  const missing = pages.flatMap((page) =>
    missingFiles(read(page)).map((path) => `${page}: ${path}`),
  );
  expect(missing).toEqual([]);
});

function unlisted(index: string, paths: readonly string[]): readonly string[] {
  const own = paths.filter((page) => /^docs\/[^/]+$/.test(page) && page !== "docs/README.md");
  return own.filter((page) => !index.includes(`](${page.slice("docs/".length)})`));
}

test("every page is in the index, which leads to the folder of decisions", () => {
  const index = read("docs/README.md");
  expect(unlisted(index, pages)).toEqual([]);
  expect(index).toContain("](decisions)");
});

test.each(Object.entries(LIMITS))("%s has at most %i lines", (page, limit) => {
  expect(read(page).trimEnd().split("\n").length).toBeLessThanOrEqual(limit);
});

test("a page that the index leaves out is found", () => {
  const paths = ["docs/README.md", "docs/listed.md", "docs/planted.md", "docs/decisions/1.md"];
  expect(unlisted("[a page](listed.md)", paths)).toEqual(["docs/planted.md"]);
});

test.each([
  "[a page](docs/nowhere.md)",
  "[a heading](README.md#nowhere)",
  "[a heading here](#nowhere)",
])("%s is found", (planted) => {
  expect(brokenLinks("README.md", planted)).toHaveLength(1);
});

test.each(["src/nowhere/planted.ts", "console/nowhere/"])(
  "%s is found where it is named",
  (path) => {
    expect(missingFiles(`see \`${path}\``)).toEqual([path]);
  },
);
