// Names that every object inherits, as a name and as a value everywhere that something comes from outside: each is a
// name like any other, and no lookup finds what was never put there.

import { mkdirSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { post } from "../support/clients.ts";
import { INHERITED } from "../support/inherited.ts";
import { startHttpProgram } from "../support/process.ts";
import { runToEnd } from "../support/run.ts";
import { tempFolder } from "../support/temp-folder.ts";

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}
interface ToolResult {
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly content: readonly { readonly text: string }[];
}

let http: Awaited<ReturnType<typeof startHttpProgram>>;
let tools: readonly { readonly name: string; readonly inputSchema: Schema }[];

/** As text, because an object literal with `__proto__` has no such member. */
const rpc = async (method: string, params: string) => {
  const body = `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`;
  const reply = (await (await post(http.url, body)).json()) as { readonly result?: unknown };
  expect(JSON.stringify(reply), params).not.toMatch(/internal|TypeError|not a function/i);
  return reply.result;
};
const call = async (name: string, args: string) =>
  (await rpc("tools/call", `{"name":"${name}","arguments":${args}}`)) as ToolResult;
const payloadOf = (result: ToolResult) =>
  JSON.parse(result.content[0]?.text ?? "{}") as Record<string, unknown>;

beforeAll(async () => {
  http = await startHttpProgram({ args: [] });
  tools = ((await rpc("tools/list", "{}")) as { tools: typeof tools }).tools;
});
afterAll(async () => {
  expect(http.stderr()).not.toMatch(/"level":"error"|TypeError/);
  await http.stop();
});

/** The name wherever a schema takes text, and as a member's name wherever it takes an object. */
function filled(schema: Schema, name: string): string {
  const given = JSON.stringify(name);
  if (schema.enum) return given;
  const kinds = [schema.type ?? []].flat();
  if (kinds.includes("array")) return `[${filled(schema.items ?? {}, name)}]`;
  if (!kinds.includes("object")) return schema.anyOf?.[0] ? filled(schema.anyOf[0], name) : given;
  const own = Object.entries(schema.properties ?? {}).map(
    ([key, inner]) => `${JSON.stringify(key)}:${filled(inner, name)}`,
  );
  return `{${[...own, `${given}:${given}`].join(",")}}`;
}

describe("as arguments of every tool", () => {
  test.each(INHERITED)("%s", async (name) => {
    for (const { name: tool, inputSchema } of tools) {
      await call(tool, `{${JSON.stringify(name)}:"x"}`);
      await call(tool, filled(inputSchema, name));
      for (const [key, inner] of Object.entries(inputSchema.properties ?? {}))
        await call(tool, `{${JSON.stringify(key)}:${filled(inner, name)}}`);
    }
  });
});

describe("as a filter", () => {
  const searched = async (filters: string) => {
    const found = await call("knowledge-search", `{"query":"heron","filters":${filters}}`);
    return (payloadOf(found)["results"] as readonly unknown[] | undefined)?.length ?? "refused";
  };
  beforeAll(async () => {
    await call(
      "knowledge-add-text",
      '{"text":"A heron waits.","filename":"heron.md","async":false}',
    );
  });

  test.each(INHERITED)("%s matches no document that has no such metadata", async (name) => {
    const key = JSON.stringify(name);
    expect(await searched("{}")).toBeGreaterThan(0);
    expect(await searched(`{${key}:"x"}`)).toBeOneOf([0, "refused"]);
    for (const filter of [`{${key}:"x"}`, `{"equals":{"key":${key},"value":"x"}}`]) {
      const answer = await call("kb_answer", `{"query":"heron","metadata_filter":${filter}}`);
      expect(JSON.stringify(answer), filter).not.toContain("A heron waits.");
    }
  });
});

test("as headers, query parameters, paths and settings of a request", async () => {
  const ask = (path: string, headers: Record<string, string>) =>
    new Promise<number>((resolve, reject) => {
      const sent = request(new URL(path, http.url), { headers }, (response) => {
        response.resume().on("end", () => resolve(response.statusCode ?? 0));
      });
      sent.on("error", reject).end();
    });
  for (const name of INHERITED) {
    for (const path of [`/${name}`, `/healthz?${name}=${name}`, `/api/${name}`, `/assets/${name}`])
      expect(await ask(path, { [name]: name }), `${path} ${name}`).toBeLessThan(500);
    for (const header of ["accept", "accept-language", "accept-encoding", "mcp-protocol-version"])
      expect(await ask("/", { [header]: name }), `${header} ${name}`).toBeLessThan(500);
  }
});

test("as keys of the settings file and options of a command they are unknown", async () => {
  const folder = tempFolder("inherited");
  mkdirSync(folder, { recursive: true });
  const members = INHERITED.map((name) => `${JSON.stringify(name)}:1`);
  writeFileSync(join(folder, "ks.json"), `{${members.join(",")}}`);
  const { code, stderr } = await runToEnd({ args: ["status", "--config", "ks.json"], folder });
  expect(code).toBe(2);
  for (const name of INHERITED) expect(stderr, name).toContain(`unknown key '${name}'`);
  const runs = INHERITED.flatMap((name) => [[name], ["status", `--${name}`], ["help", name]]);
  for (const args of runs) {
    const ended = await runToEnd({ args, folder });
    expect(ended.stderr, args.join(" ")).not.toMatch(/TypeError|bug/);
    expect(ended.code, args.join(" ")).toBe(2);
  }
});
