// Official clients check results against the schema that the tool announced. Here they make the tools of what ships fail
// for real, as far as a client can: official-clients.test.ts raises the errors that we thought of.
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ERRORS, type ErrorCode } from "../../src/domain/errors.ts";
import { awsEnvironment } from "../support/answers.ts";
import { type BedrockStub, startBedrockStub } from "../support/bedrock-stub.ts";
import { CLIENTS, TRANSPORTS } from "../support/clients.ts";
import { ERROR_CASES, type ErrorCase, NOT_BY_A_CALL, WORLDS } from "./error-cases.ts";
import { startWorld, visitOverStdio, type WorldServer } from "./world-servers.ts";

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

let stub: BedrockStub;
let env: Readonly<Record<string, string>>;
const servers = new Map<string, WorldServer>();

beforeAll(async () => {
  stub = await startBedrockStub();
  env = awsEnvironment({ AWS_ENDPOINT_URL_BEDROCK_AGENT_RUNTIME: stub.url });
  for (const [name, world] of Object.entries(WORLDS))
    servers.set(name, await startWorld(world, env));
});
afterAll(async () => {
  await Promise.all([...servers.values()].map((server) => server.close()));
  await stub?.close();
});

describe.each(TRANSPORTS)("over %s", (transport) => {
  describe.each(CLIENTS)("the client %s", (name) => {
    test.each(Object.entries(WORLDS))(
      "meets each failure of the server that is %s",
      async (...[state, world]) => {
        const visit = await (transport === "stdio"
          ? visitOverStdio(world, name, env)
          : (servers.get(state) as WorldServer).open(transport, name));
        // Both clients check results of the tools that they have listed.
        await visit.client.listTools();
        const cases = CASES.filter((each) => each[1].world === state);
        expect(cases.length).toBeGreaterThan(0);
        for (const [code, { tool, args, shows, reply }] of cases) {
          if (reply) stub.reply(reply);
          const given = JSON.parse(JSON.stringify(args).replaceAll("DIR", visit.folder));
          const result = await visit.client.callTool({ name: tool, arguments: given });
          expect(result.isError, `${code}: ${JSON.stringify(result)}`).toBe(true);
          const payload = shows ?? { success: false, error: code.toLowerCase() };
          expect(result.structuredContent, code).toMatchObject(payload);
        }
        await visit.close();
      },
    );
  });
});
