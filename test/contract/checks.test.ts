// The checks before the tests: each rule is shown to find its fault.
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { run as runCheck } from "../../scripts/check.ts";
import { tempFolder } from "../support/temp-folder.ts";

const root = join(import.meta.dirname, "..", "..");
const run = promisify(execFile);

/** What the program says of a project of these files, whatever it thinks of them. */
async function said(program: string, args: readonly string[], files: Record<string, string>) {
  const folder = tempFolder("checks");
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  const path = join(root, "node_modules", ".bin", program);
  const { stdout } = await run(path, args, { cwd: folder }).catch(
    (failed: { readonly stdout: string }) => failed,
  );
  return stdout;
}

async function settings(name: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(root, name), "utf8"));
}

const TANGLED = `export function tangled(rows: number[][]) {
  let sum = 0;
  for (const row of rows) {
    if (row.length > 1) {
      for (const cell of row) {
        if (cell > 1) {
          if (cell > 2) {
            sum += cell > 3 && sum > 4 ? cell : 1;
          }
        }
      }
    }
  }
  return sum;
}
`;

const FAULTS = {
  "src/cycle-a.ts": 'import { b } from "./cycle-b.ts";\nexport const a = () => b;\n',
  "src/cycle-b.ts": 'import { a } from "./cycle-a.ts";\nexport const b = () => a;\n',
  "src/floating.ts":
    "async function load() {\n  return 1;\n}\nexport function start() {\n  load();\n}\n",
  "src/misused.ts":
    "async function isReady() {\n  return true;\n}\nexport function start() {\n  if (isReady()) return 1;\n  return 2;\n}\n",
  "src/nested.ts":
    'export const sign = (n: number) => (n < 0 ? "minus" : n > 0 ? "plus" : "zero");\n',
  "src/tangled.ts": TANGLED,
};

test("cycles, floating and misused promises, nested ternaries and tangled functions are found", async () => {
  const { vcs: _, ...config } = await settings("biome.json");
  const files = { ...FAULTS, "biome.json": JSON.stringify(config) };
  const { diagnostics } = JSON.parse(await said("biome", ["lint", "--reporter=json"], files));
  const found = diagnostics.map(
    ({ category, location }: { category: string; location: { path: unknown } }) =>
      `${JSON.stringify(location.path)} ${category}`,
  );
  expect(found.toSorted()).toEqual([
    expect.stringMatching(/cycle-a.*noImportCycles/),
    expect.stringMatching(/cycle-b.*noImportCycles/),
    expect.stringMatching(/floating.*noFloatingPromises/),
    expect.stringMatching(/misused.*noMisusedPromises/),
    expect.stringMatching(/nested.*noNestedTernary/),
    expect.stringMatching(/tangled.*noExcessiveCognitiveComplexity/),
  ]);
});

test("unused exports and types are found", async () => {
  const { exclude, ignoreExportsUsedInFile } = await settings("knip.json");
  const config = { entry: ["main.ts"], project: ["*.ts"], exclude, ignoreExportsUsedInFile };
  const files = {
    "package.json": '{ "name": "planted", "type": "module" }',
    "knip.json": JSON.stringify(config),
    "main.ts": 'import { used } from "./part.ts";\nused();\n',
    "part.ts": "export const used = () => idle;\nexport const idle = 1;\nexport type Idle = 1;\n",
  };
  const report = await said("knip", [], files);
  expect(report).toContain("Idle");
  expect(report).toContain("idle");
});

test("npm run check and npm test run the same list", async () => {
  const { scripts } = (await settings("package.json")) as { scripts: Record<string, string> };
  expect(scripts["check"]).toBe("node scripts/check.ts");
  const test = await readFile(join(root, "scripts", "test.ts"), "utf8");
  expect(test).toMatch(/import \{ CHECKS\b.*from "\.\/check\.ts"/);
});

test.each([
  ["ends well", ["node", "-e", "0"], true],
  ["fails", ["node", "-e", "process.exit(1)"], false],
  ["is not installed", ["no-such-program"], false],
] as const)("a check that %s counts as that", async (_case, line, isOk) => {
  expect(await runCheck(line, () => {})).toBe(isOk);
});
