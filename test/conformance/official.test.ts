// The official MCP conformance suites: everything they ask for on this project's transports (fixture server),
// and what makes sense against the real one.
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Http } from "../../src/transports/http/http.ts";
import { openTestHttp } from "../support/http.ts";
import { startHttpProgram } from "../support/process.ts";
import { openFixture } from "./official/fixture.ts";
import { openTaskFixture } from "./official/fixture-tasks.ts";
import { NEXT, outcomesOf, passes, TRIES } from "./official/scenario.ts";

const modules = join(import.meta.dirname, "..", "..", "node_modules");
const CURRENT = join(modules, "@modelcontextprotocol/conformance/dist/index.js");

/** Scenarios that fail each time, of those that count: the suite itself lists the rest as not scored. */
async function failing(cli: string, url: string, args: readonly string[]): Promise<string[]> {
  let left = await failingNow(cli, url, args);
  for (let tries = 1; tries < TRIES && left.length > 0; tries += 1) {
    const again = await failingNow(cli, url, args);
    left = left.filter((name) => again.includes(name));
  }
  return left;
}

async function failingNow(cli: string, url: string, args: readonly string[]): Promise<string[]> {
  const run = promisify(execFile)(
    process.execPath,
    [cli, "server", "--url", `${url}/mcp`, ...args],
    {
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  const [, summary = ""] = stdout.split("=== SUMMARY ===");
  const [scored = "", unscored = ""] = summary.split("Not scored for");
  const passed = scored.match(/^✓ /gm)?.length ?? 0;
  if (passed === 0) throw new Error(`No scenario passed:\n${stdout.slice(-2000)}`);
  return [...scored.matchAll(/^✗ ([\w-]+)/gm)]
    .map(([, name = ""]) => name)
    .filter((name) => !unscored.includes(`✗ ${name} `));
}

describe("the fixture server on this project's transports", () => {
  let http: Http;
  beforeAll(async () => {
    http = await openTestHttp(openFixture());
  });
  afterAll(() => http.close());

  test("0.1.16: nothing of the active suite fails", async () => {
    expect(await failing(CURRENT, http.url, [])).toEqual([]);
  });
  for (const revision of ["2025-11-25", "2026-07-28"]) {
    test(`0.2.0: nothing that ${revision} requires fails`, async () => {
      expect(await failing(NEXT, http.url, ["--requirements", revision])).toEqual([]);
    });
  }
});

describe("tasks, on this project's protocol", () => {
  let http: Http;
  beforeAll(async () => {
    http = await openTestHttp(openTaskFixture());
  });
  afterAll(() => http.close());

  for (const scenario of ["tasks-capability-negotiation", "tasks-wire-fields"]) {
    test(scenario, async () => {
      expect(await passes(http.url, scenario)).toEqual({ passed: true, failed: 0 });
    });
  }
});

describe("the built program", () => {
  let http: Awaited<ReturnType<typeof startHttpProgram>>;
  beforeAll(async () => {
    http = await startHttpProgram({
      args: ["--kb-file", "kb.txt"],
      prepare: (folder) => writeFile(join(folder, "kb.txt"), "About the knowledge base."),
    });
  });
  afterAll(() => http.stop());

  describe.each([
    [
      "2025-11-25",
      [
        "server-initialize",
        "ping",
        "tools-list",
        "resources-list",
        "prompts-list",
        "dns-rebinding-protection",
        "server-session-lifecycle",
      ],
    ],
    [
      "2026-07-28",
      [
        "tools-list",
        "resources-list",
        "prompts-list",
        "caching",
        "http-header-validation",
        "sep-2164-resource-not-found",
        "dns-rebinding-protection",
      ],
    ],
  ] as const)("revision %s", (revision, scenarios) => {
    // The rest of the suite asks for tools by its own names, which only the fixture server has.
    let outcomes: ReadonlyMap<string, string>;
    beforeAll(async () => {
      outcomes = await outcomesOf(http.url, revision, scenarios);
    });

    for (const scenario of scenarios) {
      test(`${revision}: ${scenario}`, () => {
        expect(outcomes.get(scenario)).toMatch(/^[1-9]\d* passed, 0 failed$/);
      });
    }
  });
});
