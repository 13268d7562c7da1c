// The program as a process, with real clients: three transports × four clients.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { StdioClientTransport as OldStdio } from "sdk-v1/client/stdio.js";
import { StreamableHTTPClientTransport as OldHttp } from "sdk-v1/client/streamableHttp.js";
import { WebSocketClientTransport as OldWebSocket } from "sdk-v1/client/websocket.js";
import type { Transport as OldTransport } from "sdk-v1/shared/transport.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  connect,
  connectOld,
  MODES,
  type Mode,
  post,
  webSocketTransport,
} from "../support/clients.ts";
import {
  type Program,
  programEnv,
  programLine,
  startHttpProgram,
  startProgram,
} from "../support/process.ts";
import { tempFolder } from "../support/temp-folder.ts";

const TEXT = "Azure Managed Grafana です。\nSecond line.";
let folder: string;
let kbFile: string;
let server: Program & { url: string };

beforeAll(async () => {
  folder = tempFolder("e2e");
  kbFile = join(folder, "kb.txt");
  await writeFile(kbFile, TEXT);
  server = await startHttpProgram({ args: ["--kb-file", kbFile] });
});
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

const CLIENTS = [...(Object.keys(MODES) as Mode[]), "1.x SDK"] as const;
const TRANSPORTS = ["stdio", "http", "websocket"] as const;

async function open(transport: (typeof TRANSPORTS)[number], client: (typeof CLIENTS)[number]) {
  const line = {
    command: process.execPath,
    args: programLine(["--kb-file", kbFile], folder),
    env: programEnv(folder),
    stderr: "ignore" as const,
  };
  const endpoint = new URL(`${server.url}/mcp`);
  const socket = `${server.url.replace("http", "ws")}/mcp`;
  if (client === "1.x SDK") {
    if (transport === "stdio") return connectOld(new OldStdio(line));
    if (transport === "http") return connectOld(new OldHttp(endpoint) as OldTransport);
    return connectOld(new OldWebSocket(new URL(socket)));
  }
  if (transport === "stdio") return connect(new StdioClientTransport(line), client);
  if (transport === "http") return connect(new StreamableHTTPClientTransport(endpoint), client);
  return connect(webSocketTransport(socket), client);
}

describe.each(TRANSPORTS)("%s", (transport) => {
  test.each(CLIENTS)("serves the raw file to a client in mode %s", async (mode) => {
    const client = await open(transport, mode);
    try {
      expect(client.getServerVersion()?.name).toBe("knowledge-server");
      expect(client.getServerCapabilities()).toMatchObject({
        tools: { listChanged: true },
        prompts: { listChanged: false },
      });
      expect(client.getInstructions()?.length).toBeLessThan(2_000);
      const { tools } = await client.listTools();
      expect(tools.slice(0, 2).map(({ name }) => name)).toEqual(["get_kb_info", "get_kb_content"]);
      const info = await client.callTool({ name: "get_kb_info", arguments: {} });
      expect(info.structuredContent).toMatchObject({
        status: "ok",
        info: { status: "available", isAvailable: true, contentLength: TEXT.length },
      });
      const content = await client.callTool({ name: "get_kb_content", arguments: {} });
      const [block] = content.content as { text: string }[];
      expect(JSON.parse(block?.text ?? "")).toEqual({
        status: "ok",
        contentLength: TEXT.length,
        content: TEXT,
      });
      expect(content.structuredContent).toBeUndefined();
      const { contents } = await client.readResource({ uri: "knowledge://file" });
      expect(contents).toEqual([{ uri: "knowledge://file", mimeType: "text/plain", text: TEXT }]);
    } finally {
      await client.close();
    }
  });
});

describe("every revision with a handshake can be negotiated", () => {
  const VERSIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
  const hello = (protocolVersion: string) => ({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion, capabilities: {}, clientInfo: { name: "raw", version: "1" } },
  });

  test.each(VERSIONS)("http: %s", async (version) => {
    const answer = await (await post(server.url, hello(version))).json();
    expect(answer).toMatchObject({ result: { protocolVersion: version } });
  });

  test.each(VERSIONS)("websocket: %s", async (version) => {
    const socket = new WebSocket(`${server.url.replace("http", "ws")}/mcp`, "mcp");
    await new Promise((resolve) => socket.addEventListener("open", resolve));
    socket.send(JSON.stringify(hello(version)));
    const data = await new Promise((resolve) =>
      socket.addEventListener("message", (event) => resolve(event.data)),
    );
    socket.close();
    expect(JSON.parse(String(data))).toMatchObject({ result: { protocolVersion: version } });
  });

  test("stdio: all, and stdout contains nothing but responses", async () => {
    for (const version of VERSIONS) {
      const lines = await talk([hello(version)]);
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatchObject({ id: 1, result: { protocolVersion: version } });
    }
  });
});

/** Sends lines, closes stdin, gives back what stdout said. */
async function talk(messages: readonly unknown[], newlineAtEnd = true): Promise<unknown[]> {
  const lines = messages.map((each) => (typeof each === "string" ? each : JSON.stringify(each)));
  return talkBytes(Buffer.from(lines.join("\n") + (newlineAtEnd ? "\n" : "")));
}

async function talkBytes(bytes: Buffer): Promise<unknown[]> {
  const child = spawn(process.execPath, programLine(["--kb-file", kbFile], folder), {
    env: programEnv(folder),
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.stdin.end(bytes);
  let out = "";
  child.stdout.on("data", (part) => {
    out += part;
  });
  const code = await new Promise((resolve) => child.on("close", resolve));
  expect(code).toBe(0);
  return out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
}

describe("stdio", () => {
  const call = (id: number, name: string) => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name },
  });

  test("calls sent just before stdin ended get responses", async () => {
    const lines = await talk([call(1, "get_kb_info"), call(2, "get_kb_content")], false);
    expect(lines).toMatchObject([{ id: 1 }, { id: 2 }]);
  });

  test("invalid lines get an error, and the next ones are served", async () => {
    const lines = await talk(["nonsense", "[]", "", call(3, "get_kb_info")]);
    expect(lines).toMatchObject([
      { id: null, error: { code: -32700 } },
      { id: null, error: { code: -32600 } },
      { id: 3, result: {} },
    ]);
  });

  test("invalid UTF-8 gets an error, and the next line is served", async () => {
    const ping = (id: number, rest = "") => `{"jsonrpc":"2.0","id":${id},"method":"ping"${rest}}\n`;
    const broken = Buffer.from([0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80, 0x0a]);
    const inside = Buffer.from(ping(1, ',"params":{"_meta":{"x":"\xff\xc3"}}'), "latin1");
    const answers = await talkBytes(Buffer.concat([broken, inside, Buffer.from(ping(2))]));
    expect(answers).toContainEqual(
      expect.objectContaining({ error: expect.objectContaining({ code: -32700 }) }),
    );
    for (const id of [1, 2]) expect(answers).toContainEqual({ jsonrpc: "2.0", id, result: {} });
  });

  test("a message of many megabytes is accepted, one over 64 MB refused, and the next served", async () => {
    const large = {
      ...call(1, "get_kb_info"),
      params: { name: "get_kb_info", _meta: { x: "y".repeat(30_000_000) } },
    };
    const lines = await talk([large, "z".repeat(68_000_000), call(2, "get_kb_info")]);
    expect(lines).toHaveLength(3);
    expect(lines).toContainEqual(expect.objectContaining({ id: 1, result: expect.anything() }));
    expect(lines).toContainEqual(
      expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32600 }) }),
    );
    expect(lines).toContainEqual(expect.objectContaining({ id: 2, result: expect.anything() }));
  });

  test("almost 10 MB of content are returned complete", async () => {
    const path = join(folder, "large.txt");
    const text = "日本語 and English.\n".repeat(400_000);
    await writeFile(path, text);
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: programLine(["--kb-file", path], folder),
      env: programEnv(folder),
      stderr: "ignore",
      maxBufferSize: 64 * 1024 * 1024,
    });
    const client = await connect(transport, "legacy");
    const result = await client.callTool({ name: "get_kb_content" });
    await client.close();
    const [block] = result.content as { text: string }[];
    expect(JSON.parse(block?.text ?? "")).toEqual({
      status: "ok",
      contentLength: text.length,
      content: text,
    });
    expect(result.structuredContent).toBeUndefined();
  });

  test("SIGTERM ends it with success", async () => {
    const program = await startProgram({ args: ["--kb-file", kbFile] });
    program.child.stdin.write(`${JSON.stringify(call(1, "get_kb_info"))}\n`);
    await new Promise((resolve) => program.child.stdout.once("data", resolve));
    expect(await program.stop()).toBe(0);
    expect(program.stderr()).toContain('"event":"server.stopped"');
  });
});

describe("http", () => {
  test("health and metrics respond", async () => {
    const health = await fetch(`${server.url}/healthz`);
    expect(await health.json()).toMatchObject({ status: "ok" });
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toContain('knowledge_tool_calls_total{tool="get_kb_info",outcome="ok"}');
  });

  test("listening beyond loopback without a token is refused at the start", async () => {
    const program = await startProgram({ args: ["http", "--host", "0.0.0.0", "--port", "0"] });
    const [code] = await once(program.child, "close");
    expect(code).toBe(2);
    expect(program.stderr()).toContain("KNOWLEDGE_TOKEN");
    await program.stop();
  });

  test("a port in use is reported in one line", async () => {
    const port = new URL(server.url).port;
    const program = await startProgram({ args: ["http", "--port", port] });
    const [code] = await once(program.child, "close");
    expect(code).toBe(2);
    expect(program.stderr()).toContain("the port is in use");
    await program.stop();
  });
});
