// What tests share exists once, and they test what ships. Read by test/architecture.test.ts.

interface Rule {
  readonly found: RegExp;
  /** The files that may. */
  readonly except?: readonly string[];
  /** For test files, not for what supports them. */
  readonly testsOnly?: true;
  readonly instead: string;
}

/**
 * They give the server tools, clocks, limits or counters of their own, which what ships has no setting for. The list
 * only shrinks.
 */
export const ON_SOURCE = [
  "test/conformance/bounds.test.ts",
  "test/conformance/connection.test.ts",
  "test/conformance/official-clients.test.ts",
  "test/conformance/official.test.ts",
  "test/conformance/old-revisions.test.ts",
  "test/conformance/wire.test.ts",
];

const RULES: readonly Rule[] = [
  {
    found: /from "\.\.\/support\/(http|toolbox)\.ts"/,
    except: ON_SOURCE,
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
    except: ["test/support/eventually.ts"],
    instead: "eventually() of test/support/eventually.ts",
  },
  {
    found: /"src",? "?\/?main\.ts"|src\/main\.ts/,
    instead: "PROGRAM of test/support/shipped.ts: what ships is what is tested",
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
  return RULES.filter(
    ({ found, except, testsOnly }) =>
      !except?.includes(path) && (!testsOnly || path.endsWith(".test.ts")) && found.test(text),
  ).map(({ instead }) => `${path}: use ${instead}`);
}
