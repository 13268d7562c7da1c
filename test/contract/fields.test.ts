// Each field and parameter that the documents promise, one by one, on the built program.
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { makePdf } from "../support/files/pdf.ts";
import { type ShippedTools, shippedTools } from "../support/shipped-tools.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { PARAMETERS, PROMISED } from "./promised-fields.ts";

type Json = Readonly<Record<string, unknown>>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const UNKNOWN = "00000000-0000-4000-8000-000000000000";

let at: ShippedTools;
let parameters: Readonly<Record<string, Schema>>;
const seen = new Map<string, unknown>();

const call = (name: string, args: object = {}) => at.call(name, args);
const keep = async (response: string, name: string, args: object = {}) => {
  const payload = (await at.run(name, args)).payload as Json;
  seen.set(response, payload);
  return payload;
};

beforeAll(async () => {
  const kbFile = join(tempFolder("fields"), "kb.txt");
  await writeFile(kbFile, "Text of the file.");
  at = await shippedTools({ kbFile, maxFileMb: 1 });
  const { tools } = await at.client.listTools();
  parameters = Object.fromEntries(tools.map((tool) => [tool.name, tool.inputSchema as Schema]));
  seen.set("initialize", {
    protocolVersion: at.client.getNegotiatedProtocolVersion(),
    capabilities: at.client.getServerCapabilities(),
    serverInfo: at.client.getServerVersion(),
  });
  await keep("get_kb_info", "get_kb_info");
  await keep("get_kb_content", "get_kb_content");
  await keepScopes();
  await keepEmpty();
  await keepAdds();
  await keepReads();
  await keepChanges();
});
afterAll(() => at?.dispose());

async function keepScopes(): Promise<void> {
  const scope = { scope_id: "checkout-api" };
  const entry = { ...scope, category: "git", category_description: "Git workflow rules" };
  await call("knowledge-scope-put", { ...scope, tier: "PROJECT" });
  await call("knowledge-entry-put", { ...entry, keyword: "commit", content: "Name the ticket" });
  await keep("get_categories", "get_categories", { project_name: "checkout-api" });
  const asked = { project_name: "checkout-api", categories: ["git"] };
  await keep("get_keywords", "get_keywords", asked);
  await keep("get_knowledge", "get_knowledge", { ...scope, keywords: ["commit"] });
}

async function keepEmpty(): Promise<void> {
  await keep("knowledge-search of nothing", "knowledge-search", { query: "anything" });
  await keep("knowledge-show of nothing", "knowledge-show");
  await keep("knowledge-add of an unknown format", "knowledge-add", { file_path: "/a/b.xyz" });
  const large = await at.write("large.txt", "x".repeat(1.5 * 1024 * 1024));
  await keep("knowledge-add of a large file", "knowledge-add", { file_path: large });
  const query = { query: " \t\n" };
  await keep("kb_answer of a blank query", "kb_answer", query);
}

async function keepAdds(): Promise<void> {
  const file_path = join(at.root, "example.pdf");
  await writeFile(
    file_path,
    makePdf([["To configure authentication, set up the provider first."]]),
  );
  const sync = { file_path, async: false };
  const onprogress = () => {};
  const { payload } = await at.run("knowledge-add", sync, { onprogress });
  seen.set("knowledge-add, synchronous", payload);
  const progress = at.messages.find(
    (message) => "method" in message && message.method === "notifications/progress",
  );
  seen.set("notifications/progress", (progress as { readonly params?: unknown })?.params);
  const other = await at.write("other.txt", "Another document, of bees.");
  const queued = await keep("knowledge-add, asynchronous", "knowledge-add", { file_path: other });
  await keepEnded("completed", queued["task_id"]);
  const broken = await at.write("broken.pdf", "%PDF-1.4 damaged from the start");
  const { task_id } = await call("knowledge-add", { file_path: broken });
  await keepEnded("failed", task_id);
}

async function keepEnded(status: string, task_id: unknown): Promise<void> {
  await eventually(async () => {
    const task = await keep(`knowledge-task-status, ${status}`, "knowledge-task-status", {
      task_id,
    });
    expect(task["status"]).toBe(status);
  });
}

async function keepReads(): Promise<void> {
  const query = "authentication";
  const pdf = { filters: { format: "pdf" } };
  await keep("knowledge-search", "knowledge-search", { query, ...pdf });
  const none = { filters: { format: "svg" } };
  await keep("knowledge-search without a result", "knowledge-search", { query, ...none });
  await keep("knowledge-show", "knowledge-show");
  await eventually(async () => {
    const { health } = await keep("knowledge-status", "knowledge-status");
    expect(health).toMatchObject({ status: "healthy", embedding_model_loaded: true });
  });
  await keep("kb_answer", "kb_answer", { query: "How is authentication configured?" });
  const asked = { name: "get_kb_info", arguments: {} };
  seen.set("tools/call", await at.client.callTool(asked));
}

async function keepChanges(): Promise<void> {
  const { documents } = (await call("knowledge-show")) as {
    readonly documents: readonly { readonly id: string }[];
  };
  const document_id = documents[0]?.id;
  await keep("knowledge-remove, unconfirmed", "knowledge-remove", { document_id });
  const unknown = { document_id: UNKNOWN, confirm: true };
  await keep("knowledge-remove of an unknown document", "knowledge-remove", unknown);
  await keep("knowledge-remove", "knowledge-remove", { document_id, confirm: true });
  const phrase = { confirmation_phrase: "DELETE ALL" };
  await keep("knowledge-clear, unconfirmed", "knowledge-clear", { confirm: false, ...phrase });
  const originals = join(at.root, "..", "data", "originals");
  await rename(originals, `${originals}-away`);
  await eventually(async () => {
    const { health } = await keep("knowledge-status without its files", "knowledge-status");
    expect((health as Json)["status"]).toBe("degraded");
  });
  await rename(`${originals}-away`, originals);
  await keep("knowledge-clear", "knowledge-clear", { confirm: true, ...phrase });
}

const KINDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  "a text": (value) => typeof value === "string" && value !== "",
  "a number": (value) => typeof value === "number" && value >= 0,
  "a whole number": (value) => Number.isInteger(value) && Number(value) >= 0,
  "a UUID": (value) => UUID.test(String(value)) || value === UNKNOWN,
  "a time": (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(String(value)),
  "a token": (value) => typeof value === "string" || typeof value === "number",
  "a list": (value) => Array.isArray(value) && value.length > 0,
  "an empty list": (value) => Array.isArray(value) && value.length === 0,
  "an object": (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};

/** Every value at the path; those of all elements where it goes through a list. */
function valuesAt(value: unknown, path: readonly string[]): readonly unknown[] {
  const [step, ...rest] = path;
  if (step === undefined) return [value];
  if (step === "[]") {
    expect(value).toEqual(expect.any(Array));
    return (value as readonly unknown[]).flatMap((each) => valuesAt(each, rest));
  }
  return valuesAt((value as Json | undefined)?.[step], rest);
}

test.each(PROMISED)("%s: %s is %s", (response, path, kind) => {
  const steps = path.replaceAll("[]", ".[]").split(".").filter(Boolean);
  const values = valuesAt(seen.get(response), steps);
  expect(values.length).toBeGreaterThan(0);
  const fits = KINDS[kind] ?? ((value) => JSON.stringify(value) === kind);
  for (const value of values) expect(fits(value), JSON.stringify(value)).toBe(true);
});

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

test.each(PARAMETERS)("%s takes %s: %s", (tool, name, said) => {
  const { properties = {}, required = [] } = parameters[tool] ?? {};
  const {
    type,
    default: usual,
    minimum,
    maximum,
    maxLength = 0,
    enum: choice,
  } = properties[name] ?? {};
  const facts = [
    type,
    required.includes(name) && "required",
    usual !== undefined && `default ${usual}`,
    maximum !== undefined && `${minimum} to ${maximum}`,
    choice && `one of ${choice.join(", ")}`,
    // Longer ones only keep a request from filling the memory.
    maxLength === 500 && "at most 500 characters",
  ];
  expect(facts.filter(Boolean).join(", ")).toBe(said);
});
