// What tests share exists once, and they test what ships. Read by test/architecture.test.ts.

interface Rule {
  readonly found: RegExp;
  /** The files that may. */
  readonly except?: readonly string[];
  /** For test files, not for what supports them. */
  readonly testsOnly?: true;
  readonly unitOnly?: true;
  readonly instead: string;
}

/** Suites that drive a transport in their own process: why the program cannot do it. */
export const IN_PROCESS: Readonly<Record<string, string>> = {
  "test/conformance/connection.test.ts":
    "tools that ask the client's model, hang until they are cancelled or report steps one by one",
  "test/conformance/official-clients.test.ts":
    "every tool fails by every code of the catalogue, most of which need a broken disk or network",
  "test/conformance/official.test.ts":
    "the official suite calls tools, resources and prompts by its own names",
  "test/conformance/short-limits.test.ts":
    "time limits of seconds and quotas of three, which are minutes and hundreds and no settings",
};

const RULES: readonly Rule[] = [
  {
    found: /from "\.\.\/support\/(http|toolbox)\.ts"/,
    except: Object.keys(IN_PROCESS),
    testsOnly: true,
    instead: "startHttpProgram() of test/support/process.ts: what ships is what is tested",
  },
  {
    found: /\bmkdtemp(Sync)?\b/,
    except: ["test/support/temp-folder.ts"],
    instead: "tempFolder() of test/support/temp-folder.ts",
  },
  {
    found: /level: "silent" \}/,
    except: ["test/support/silent-log.ts"],
    instead: "silentLog() of test/support/silent-log.ts",
  },
  {
    found: /\btaskProgress: \(\) => \{\}/,
    except: ["test/support/call-context.ts"],
    instead: "callContext() of test/support/call-context.ts",
  },
  {
    found: /\bvi\.waitFor\b/,
    instead: "eventually() of test/support/eventually.ts",
  },
  {
    // Beside other tests, vitest does not know to which one it belongs.
    found: /\bconcurrent\([\s\S]*expect\s*\.poll\(|expect\s*\.poll\([\s\S]*\bconcurrent\(/,
    instead: "eventually() of test/support/eventually.ts in a file with concurrent tests",
  },
  {
    found: /"src",? "?\/?main\.ts"|src\/main\.ts/,
    instead: "PROGRAM of test/support/shipped.ts: what ships is what is tested",
  },
  {
    found: /(new URL|import\.meta\.resolve)\(\s*"[^"]*\bsrc\/[^"]+\.ts"/,
    instead: "shippedUrl() of test/support/shipped.ts: what ships is what is tested",
  },
  {
    found: /from "node:child_process"/,
    unitOnly: true,
    instead: "x.process.test.ts or test/conformance: unit tests start no process",
  },
  { found: /\bvi\.(do)?mock\(/, instead: "the real thing: no module mocks" },
  {
    // Shorter ones are moments between kills, or a tick of the clock.
    found: /await (sleep|wait|pause)\((\d[\d_]{3,}|[3-9]\d\d)\b/,
    testsOnly: true,
    instead: "eventually(), which waits for what happens: nothing sleeps for so long",
  },
];

export function testViolations(path: string, text: string): readonly string[] {
  return RULES.filter((rule) => applies(rule, path) && rule.found.test(text)).map(
    ({ instead }) => `${path}: use ${instead}`,
  );
}

function applies({ except, testsOnly, unitOnly }: Rule, path: string): boolean {
  if (except?.includes(path)) return false;
  if (testsOnly) return path.endsWith(".test.ts");
  return !unitOnly || /^src\/.*(?<!\.process)\.test\.ts$/.test(path);
}
