// What tests share exists once, and they test what ships.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");

interface Rule {
  readonly found: RegExp;
  /** The one file that may. */
  readonly except?: string;
  readonly instead: string;
}

const RULES: readonly Rule[] = [
  {
    found: /\bmkdtemp(Sync)?\b/,
    except: "test/support/temp-folder.ts",
    instead: "tempFolder() of test/support/temp-folder.ts",
  },
  {
    found: /level: "silent" \}/,
    except: "test/support/silent-log.ts",
    instead: "silentLog() of test/support/silent-log.ts",
  },
  {
    found: /\btaskProgress: \(\) => \{\}/,
    except: "test/support/call-context.ts",
    instead: "callContext() of test/support/call-context.ts",
  },
  {
    found: /\bvi\.waitFor\b/,
    except: "test/support/eventually.ts",
    instead: "eventually() of test/support/eventually.ts",
  },
  {
    found: /"src",? "?\/?main\.ts"|src\/main\.ts/,
    instead: "PROGRAM of test/support/shipped.ts: what ships is what is tested",
  },
  { found: /\bvi\.(do)?mock\(/, instead: "the real thing: no module mocks" },
];

function violations(path: string, text: string): readonly string[] {
  return RULES.filter(({ found, except }) => path !== except && found.test(text)).map(
    ({ instead }) => `${path}: use ${instead}`,
  );
}

test("tests use what exists once for all of them", () => {
  const own = "test/test-rules.test.ts";
  const paths = globSync(["src/**/*.test.ts", "test/**/*.ts"], { cwd: ROOT });
  expect(paths.length).toBeGreaterThan(200);
  const found = paths
    .filter((path) => path !== own)
    .flatMap((path) => violations(path, readFileSync(join(ROOT, path), "utf8")));
  expect(found).toEqual([]);
});

test.each([
  'const folder = await mkdtemp(join(tmpdir(), "x-"));',
  'const log = openLog({ level: "silent" });',
  "const context = { signal, taskProgress: () => {} };",
  "await vi.waitFor(() => expect(seen).toBe(1));",
  'const MAIN = join(root, "src", "main.ts");',
  'const MAIN = "../../src/main.ts";',
  'vi.mock("../store.ts");',
])("%s is found", (planted) => {
  expect(violations("test/e2e/planted.test.ts", planted)).toHaveLength(1);
});
