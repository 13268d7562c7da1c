// Official clients check results against the schema that the tool announced. Here they make every tool fail for real, as
// far as a client can: what official-clients.test.ts raises has the fields that were thought of, this has those that are.
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ERRORS, type ErrorCode } from "../../src/domain/errors.ts";
import { openMcp } from "../../src/mcp/mcp.ts";
import { openMetrics } from "../../src/observe/metrics.ts";
import { useAwsEnvironment } from "../support/answers.ts";
import { openTestApp, type TestApp } from "../support/app.ts";
import { type BedrockStub, startBedrockStub } from "../support/bedrock-stub.ts";
import {
  ERROR_CASES,
  type ErrorCase,
  NOT_BY_A_CALL,
  WORLDS,
  type World,
} from "../support/error-cases.ts";
import {
  CLIENTS,
  type OfficialClients,
  openOfficialClients,
  TRANSPORTS,
} from "../support/official-clients.ts";
import { silentLog } from "../support/silent-log.ts";

const CODES = Object.keys(ERRORS) as ErrorCode[];
const CASES = Object.entries(ERROR_CASES) as [ErrorCode, ErrorCase][];

describe("the catalogue", () => {
  test("each code is brought about here, or says why not and which test does", () => {
    const listed = [...Object.keys(ERROR_CASES), ...Object.keys(NOT_BY_A_CALL)];
    expect(listed.toSorted()).toEqual(CODES.toSorted());
  });

  test.each(Object.entries(NOT_BY_A_CALL))(
    "%s is in the test that is named",
    async (code, { test: file }) => {
      const text = await readFile(file, "utf8");
      expect(text).toMatch(new RegExp(`\\b(?:${code}|${code.toLowerCase()})\\b`));
    },
  );
});

interface OpenWorld {
  readonly at: TestApp;
  readonly clients: OfficialClients;
}

let stub: BedrockStub;
let restore: () => void;
const worlds = new Map<string, OpenWorld>();

async function openWorld(world: World): Promise<OpenWorld> {
  const { flags = {}, env = {}, before, after } = world;
  const at = await openTestApp({ flags, env, ...(before && { before }) });
  const signal = new AbortController().signal;
  await after?.(at.folder, (name, args) => at.app.call(name, args, { signal }));
  const parts = { version: "0", log: silentLog(), metrics: openMetrics() };
  const mcp = openMcp(at.app, parts);
  return { at, clients: await openOfficialClients(mcp) };
}

beforeAll(async () => {
  stub = await startBedrockStub();
  restore = useAwsEnvironment({ AWS_ENDPOINT_URL_BEDROCK_AGENT_RUNTIME: stub.url });
  for (const [name, world] of Object.entries(WORLDS)) worlds.set(name, await openWorld(world));
});
afterAll(async () => {
  for (const { at, clients } of worlds.values()) {
    await clients.close();
    await at.close();
  }
  restore?.();
  await stub?.close();
});

describe.each(TRANSPORTS)("over %s", (transport) => {
  describe.each(CLIENTS)("the client %s", (client) => {
    test.each(Object.keys(WORLDS))("meets each failure of the server that is %s", async (name) => {
      const { at, clients } = worlds.get(name) as OpenWorld;
      const opened = await clients.open(transport, client);
      // Both clients check results of the tools that they have listed.
      await opened.listTools();
      const cases = CASES.filter(([, { world }]) => world === name);
      expect(cases.length).toBeGreaterThan(0);
      for (const [code, { tool, args, shows, reply }] of cases) {
        if (reply) stub.reply(reply);
        const given = JSON.parse(JSON.stringify(args).replaceAll("DIR", at.folder));
        const result = await opened.callTool({ name: tool, arguments: given });
        expect(result.isError, `${code}: ${JSON.stringify(result)}`).toBe(true);
        const payload = shows ?? { success: false, error: code.toLowerCase() };
        expect(result.structuredContent, code).toMatchObject(payload);
      }
      await opened.close();
    });
  });
});
