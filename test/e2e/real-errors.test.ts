// Failures that take more than a call to bring about, each for real: the program that ships, the official client with
// output validation, three transports. The others: test/conformance/real-errors.test.ts.
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect, TRANSPORTS, type TransportName, webSocketTransport } from "../support/clients.ts";
import { eventually } from "../support/eventually.ts";
import { PROGRAM } from "../support/shipped.ts";
import { type SmallDisk, smallDisk } from "../support/small-disk.ts";
import { type HttpServer, startHttp } from "../support/spawned.ts";
import { tempFolder } from "../support/temp-folder.ts";

const DISK_BYTES = 256 * 1024 * 1024;
/** More than may wait, and more than a server works off before the next call. */
const WAITING = 60_000;
const MANY_FILES = 2_000;
const SCAN = join(import.meta.dirname, "../fixtures/invoice.png");

const OPEN = new Set(["queued", "running"]);

interface Listed {
  readonly task_id: string;
  readonly filename: string;
  readonly status: string;
}

describe.each(TRANSPORTS)("over %s", (name) => {
  let root: string;
  let dataDir: string;
  let disk: SmallDisk | undefined;
  let server: HttpServer | undefined;
  let client: Client;

  beforeAll(async () => {
    disk = await smallDisk(DISK_BYTES);
    root = tempFolder("real-errors");
    dataDir = join(disk?.path ?? root, "data");
    writeFileSync(join(root, "settings.yaml"), "ocrLanguages: [eng, missing]\n");
    copyFileSync(SCAN, join(root, "scan.png"));
    mkdirSync(join(root, "many"));
    for (let at = 0; at < MANY_FILES; at += 1)
      writeFileSync(join(root, "many", `${at}.txt`), `Note ${at} on herons.`);
    client = await open(name);
    await client.listTools();
  });
  afterAll(async () => {
    await client?.close();
    await server?.stop();
    await disk?.dispose();
  });

  async function open(transport: TransportName): Promise<Client> {
    const config = join(root, "settings.yaml");
    if (transport !== "stdio") server = await startHttp({ dataDir, root, config });
    const url = server?.url ?? "";
    const flags = ["--data-dir", dataDir, "--root", root, "--config", config];
    const args = [PROGRAM, ...flags, "--log-level", "error"];
    const ways = {
      stdio: () => new StdioClientTransport({ command: process.execPath, args, cwd: root }),
      http: () => new StreamableHTTPClientTransport(new URL(url)),
      websocket: () => webSocketTransport(url.replace(/^http/, "ws")),
    };
    return connect(ways[transport](), "legacy", {
      capabilities: { elicitation: { form: {} } },
      prepare: (made) =>
        made.setRequestHandler("elicitation/create", async () => ({ action: "decline" })),
    });
  }

  const call = (tool: string, args: Record<string, unknown>) =>
    client.callTool({ name: tool, arguments: args }, { timeout: 100_000 });
  const failure = (error: string) =>
    expect.objectContaining({
      isError: true,
      structuredContent: expect.objectContaining({ success: false, error }),
    });

  test("OCR_FAILED: a language has no data", async () => {
    const scan = { file_path: join(root, "scan.png"), async: false };
    expect(await call("knowledge-add", scan)).toEqual(failure("ocr_failed"));
  });

  test("CONFIRMATION_DECLINED: a person is asked and declines", async () => {
    await call("knowledge-scope-put", { scope_id: "kept", tier: "PROJECT" });
    const removed = await call("knowledge-scope-remove", { scope_id: "kept", confirm: true });
    expect(removed).toEqual(failure("confirmation_declined"));
  });

  test("RESOURCE_NOT_FOUND: what nobody offers is read", async () => {
    const uri = "knowledge://nowhere";
    await expect(client.readResource({ uri })).rejects.toMatchObject({
      message: expect.stringContaining("There is no such resource."),
      data: { uri },
    });
  });

  test("CANCELLED: somebody cancels an add that another call waits for", async () => {
    const adding = call("knowledge-add", { file_path: join(root, "many"), async: false });
    const task_id = await eventually(async () => {
      const { contents } = await client.readResource({ uri: "knowledge://tasks" });
      const [content] = contents as readonly { readonly text: string }[];
      const { tasks } = JSON.parse(content?.text ?? "") as { tasks: readonly Listed[] };
      const found = tasks.find(({ filename, status }) => filename === "many" && OPEN.has(status));
      expect(found).toBeDefined();
      return found?.task_id;
    });
    await call("knowledge-task-cancel", { task_id });
    expect(await adding).toEqual(failure("cancelled"));
  });

  test("STORE_FULL: the disk has no room", async ({ skip }) => {
    skip(disk === undefined, "no small disk can be mounted");
    disk?.fill(0);
    const note = { filename: "note.md", text: "Herons. ".repeat(10_000), async: false };
    expect(await call("knowledge-add-text", note)).toEqual(failure("store_full"));
    disk?.empty();
    const { structuredContent } = await call("knowledge-add-text", note);
    expect(structuredContent).toMatchObject({ success: true });
  });

  test("OVERLOADED: too many documents wait", async () => {
    const database = new DatabaseSync(join(dataDir, "knowledge.db"), { timeout: 30_000 });
    database.exec(`WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n LIMIT ${WAITING})
      INSERT INTO tasks (kb, id, status, content_hash, request, progress, created_at)
      SELECT 1, 'waiting-' || at, 'queued', printf('%064d', at),
        json_object('contentHash', printf('%064d', at), 'filename', 'x.md', 'sizeBytes', 1,
          'metadata', json('{}'), 'forceOcr', json('false')), '{}', '2026-01-01T00:00:00.000Z' FROM n`);
    database.close();
    const note = { filename: "late.md", text: "A late note." };
    expect(await call("knowledge-add-text", note)).toEqual(failure("overloaded"));
  });
});
