// Adds called as tasks, on a real server: by a client written to the extension's specification, and by the official
// 1.x client, which speaks the tasks of revision 2025-11-25.
import { createHash } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client as OldClient } from "sdk-v1/client/index.js";
import { StreamableHTTPClientTransport as OldHttp } from "sdk-v1/client/streamableHttp.js";
import { CallToolResultSchema } from "sdk-v1/types.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ModernClient, modernClient, payloadOf, type Reply } from "../support/modern.ts";
import { type HttpServer, type ServerPlace, startHttp } from "../support/spawned.ts";
import { tempFolder } from "../support/temp-folder.ts";

const TOKENS = { reader: "a-reader-of-some-length", admin: "an-admin-of-some-length" };
const EXTENSION = "io.modelcontextprotocol/tasks";
const TASKS = { extensions: { [EXTENSION]: {} } };
const UNKNOWN = "00000000-0000-4000-8000-000000000000";

let folder: string;
let place: ServerPlace;
let server: HttpServer;
const as = (who: keyof typeof TOKENS, capabilities: Record<string, unknown> = TASKS) =>
  modernClient(server.url, { token: TOKENS[who], capabilities });

beforeAll(async () => {
  folder = tempFolder("tasks");
  const hash = (token: string) => createHash("sha256").update(token).digest("hex");
  const tokens = [
    { name: "reader", sha256: hash(TOKENS.reader), rights: ["read"] },
    { name: "admin", sha256: hash(TOKENS.admin), rights: ["read", "write", "admin"] },
  ];
  await writeFile(join(folder, "tokens.json"), JSON.stringify({ tokens }));
  await writeFile(
    join(folder, "settings.json"),
    JSON.stringify({ tokenFile: join(folder, "tokens.json") }),
  );
  place = { dataDir: join(folder, "data"), root: folder, config: join(folder, "settings.json") };
  server = await startHttp(place);
});
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

const add = async (client: ModernClient, name: string, text: string): Promise<Reply> => {
  await writeFile(join(folder, name), text);
  const file_path = join(folder, name);
  return client.ask("tools/call", { name: "knowledge-add", arguments: { file_path } });
};
const look = async (client: ModernClient, taskId: unknown) =>
  (await client.ask("tasks/get", { taskId })).result ?? {};
const ended = (client: ModernClient, taskId: unknown) =>
  expect
    .poll(async () => (await look(client, taskId))["status"], { interval: 100 })
    .not.toBe("working");
/** Seconds of work: it has not ended when the next request arrives. */
const long = (topic: string) =>
  Array.from({ length: 60_000 }, (_, at) => `Line ${at} about ${topic} and nothing else.`).join(
    "\n\n",
  );

test("an add returns a task, and the task ends with the add's own result", async () => {
  const client = as("admin");
  const { result } = await add(client, "heron.md", "# Herons\n\nHerons wade in the shallows.\n");
  expect(result).toMatchObject({ resultType: "task", status: "working" });
  expect(result).not.toHaveProperty("content");
  await ended(client, result?.["taskId"]);
  const task = await look(client, result?.["taskId"]);
  expect(task).toMatchObject({ status: "completed", resultType: "complete" });
  const added = payloadOf({ result: task["result"] as Record<string, unknown> });
  expect(added).toMatchObject({ success: true, filename: "heron.md", chunks_created: 1 });
  const found = await client.ask("tools/call", {
    name: "knowledge-search",
    arguments: { query: "where do herons wade" },
  });
  expect(JSON.stringify(payloadOf(found))).toContain(added["document_id"]);
});

test("an add that fails is a completed call with an error", async () => {
  const client = as("admin");
  const { result } = await add(client, "broken.pdf", "%PDF-1.7\nno more than this\n");
  await ended(client, result?.["taskId"]);
  const task = await look(client, result?.["taskId"]);
  expect(task).toMatchObject({ status: "completed", result: { isError: true } });
});

test("an add that is refused at once creates no task", async () => {
  const { result } = await as("admin").ask("tools/call", {
    name: "knowledge-add",
    arguments: { file_path: join(folder, "missing.md") },
  });
  expect(result).toMatchObject({ resultType: "complete", isError: true });
});

test("a cancelled task leaves nothing of its document", async () => {
  const client = as("admin");
  const { result } = await add(client, "long.txt", long("storks"));
  const taskId = result?.["taskId"];
  const { result: acknowledged } = await client.ask("tasks/cancel", { taskId });
  expect(Object.keys(acknowledged ?? {}).sort()).toEqual(["_meta", "resultType"]);
  expect(await look(client, taskId)).toMatchObject({ status: "cancelled" });
  // Once more: the same acknowledgement, and nothing else.
  expect((await client.ask("tasks/cancel", { taskId })).error).toBeUndefined();
  const shown = await client.ask("tools/call", { name: "knowledge-show", arguments: {} });
  expect(JSON.stringify(payloadOf(shown))).not.toContain("long.txt");
});

test("a task survives the server that started it", async () => {
  const { result } = await add(as("admin"), "outlives.txt", long("cranes").slice(0, 60_000));
  const taskId = result?.["taskId"];
  await server.kill();
  server = await startHttp(place);
  await ended(as("admin"), taskId);
  const task = await look(as("admin"), taskId);
  expect(payloadOf({ result: task["result"] as Record<string, unknown> })).toMatchObject({
    success: true,
    filename: "outlives.txt",
  });
});

test("a reader may look at a task and not stop it; unknown tasks are invalid parameters", async () => {
  const { result } = await add(as("admin"), "read.md", "# Read\n\nBy a reader.\n");
  const taskId = result?.["taskId"];
  expect(await look(as("reader"), taskId)).toMatchObject({ taskId });
  const { error } = await as("reader").ask("tasks/cancel", { taskId });
  expect(error?.data).toMatchObject({ error_type: "access_denied" });
  const { result: refused } = await add(as("reader"), "no.md", "# No\n");
  expect(refused).toMatchObject({ isError: true });
  for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
    const { error: unknown } = await as("admin").ask(method, { taskId: UNKNOWN });
    expect(unknown?.code, method).toBe(-32_602);
  }
});

test("a client without the extension sees none of it", async () => {
  const plain = as("admin", {});
  const { result } = await plain.ask("server/discover");
  expect(result?.["capabilities"]).not.toHaveProperty(["extensions", EXTENSION]);
  expect(payloadOf(await add(plain, "plain.md", "# Plain\n"))).toHaveProperty("task_id");
  expect((await plain.ask("tasks/get", { taskId: UNKNOWN })).error?.code).toBe(-32_021);
  const named = await as("admin").ask("server/discover");
  expect(named.result?.["capabilities"]).toHaveProperty(["extensions", EXTENSION]);
});

test("the 1.x client follows an add as a task of revision 2025-11-25", async () => {
  const client = new OldClient({ name: "old", version: "1" }, { capabilities: {} });
  const headers = { Authorization: `Bearer ${TOKENS.admin}` };
  await client.connect(new OldHttp(new URL(server.url), { requestInit: { headers } }) as never);
  await client.listTools();
  await writeFile(join(folder, "old.md"), "# Old\n\nOf another revision.\n");
  const call = {
    name: "knowledge-add",
    arguments: { file_path: join(folder, "old.md"), async: false },
  };
  const seen: string[] = [];
  for await (const message of client.experimental.tasks.callToolStream(
    call,
    CallToolResultSchema,
  )) {
    seen.push(message.type);
    if (message.type === "result") {
      expect(message.result.structuredContent).toMatchObject({ filename: "old.md" });
    }
  }
  expect(seen[0]).toBe("taskCreated");
  expect(seen.at(-1)).toBe("result");
  await client.close();
});
