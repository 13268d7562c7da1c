// Untrusted input to a real server and the command line on the same folder: secrets stay out, and
// names and texts cannot affect a terminal or a log.
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { link, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RAW, SEQUENCES } from "../fixtures/hostile-text.ts";
import { textKeys, tokens } from "../fixtures/secrets.ts";
import { makeDocx, paragraph } from "../support/files/office.ts";
import { type Program, programEnv, programLine, startHttpProgram } from "../support/process.ts";
import { type Connected, connectTo } from "../support/spawned.ts";

let program: Program & { url: string };
let client: Connected;
let files = "";

beforeAll(async () => {
  program = await startHttpProgram({
    args: ["--log-level", "debug", "--root", ".", "--config", "settings.json"],
    env: {},
    prepare: async (folder) => {
      await writeFile(join(folder, "tokens.txt"), "");
      await writeFile(join(folder, "settings.json"), JSON.stringify({ auditFile: "audit.json" }));
    },
  });
  files = program.folder;
  client = await connectTo("http", `${program.url}/mcp`);
  // The first call opens the store.
  await client.call("knowledge-status", {});
});
afterAll(async () => {
  await client.close();
  await program.stop();
});

const add = (path: string) => client.call("knowledge-add", { file_path: path, async: false });

async function upload(filename: string, bytes: string | Buffer): Promise<Record<string, unknown>> {
  const address = `${program.url}/api/upload?filename=${encodeURIComponent(filename)}`;
  const headers = { "content-type": "application/octet-stream" };
  const response = await fetch(address, {
    method: "POST",
    headers,
    body: new Uint8Array(Buffer.from(bytes)),
  });
  return { status: response.status, ...((await response.json()) as Record<string, unknown>) };
}

const originals = () =>
  readdirSync(join(files, "data", "originals"), { recursive: true }).filter((name) =>
    /\w{64}/.test(String(name)),
  );

describe("secrets", () => {
  test("hidden files are refused, and documents in the same folder are added", async () => {
    await mkdir(join(files, ".config", "agent"), { recursive: true });
    await writeFile(join(files, ".config", "agent", "state.json"), '{"a": 1}');
    await writeFile(
      join(files, "manual.md"),
      "# Keys\n\nSet AWS_ACCESS_KEY_ID to AKIAIOSFODNN7EXAMPLE.\n",
    );
    expect(await add(".config/agent/state.json")).toMatchObject({ error: "access_denied" });
    expect(await add("manual.md")).toMatchObject({ success: true });
  });

  test("the server's own files are closed to a caller who may write, under every name", async () => {
    await link(join(files, "settings.json"), join(files, "copy-of-settings.json"));
    await link(join(files, "data", "knowledge.db"), join(files, "notes.txt"));
    for (const name of ["settings.json", "copy-of-settings.json", "audit.json", "notes.txt"]) {
      expect([name, await add(name)]).toEqual([
        name,
        expect.objectContaining({ error: "access_denied" }),
      ]);
    }
  });

  test("a key in a file of any name or format is refused, not shown, and not kept", async () => {
    const before = originals().length;
    const key = textKeys()["Ed25519"] ?? "";
    const body = key.split("\n")[1] ?? "";
    const lines = key.split("\n").map((line) => paragraph(line));
    await writeFile(join(files, "recipe.txt"), `Bread\n\n${key}`);
    await writeFile(join(files, "memo.docx"), makeDocx({ body: lines.join("") }));
    for (const name of ["recipe.txt", "memo.docx"]) {
      const refused = await add(name);
      expect(refused).toMatchObject({ success: false, error: "access_denied" });
      expect(refused["message"]).toContain("private key");
      expect(JSON.stringify(refused)).not.toContain(body);
    }
    const { token } = tokens("e2e").find(({ name }) => name === "a GitHub token") ?? { token: "" };
    expect(await upload("todo.md", `use ${token}`)).toMatchObject({
      status: 403,
      error: "access_denied",
    });
    expect(await upload("id_ed25519", "x")).toMatchObject({ status: 403, error: "access_denied" });
    expect(program.stderr()).not.toContain(body);
    expect(program.stderr()).not.toContain(token);
    await expect.poll(() => originals().length).toBe(before);
  });
});

describe("text from others", () => {
  const wild = SEQUENCES.join("word ");

  interface Ran {
    readonly stdout: string;
    readonly stderr: string;
  }
  const run = (...args: string[]) =>
    new Promise<Ran>((resolve) => {
      const line = programLine(args, files);
      execFile(
        process.execPath,
        line,
        { cwd: files, env: programEnv(files) },
        (_, stdout, stderr) => resolve({ stdout, stderr }),
      );
    });

  test("names are one visible line of at most 255 bytes in every result", async () => {
    const prose = "The tide turns twice a day, whatever is written above. ".repeat(100);
    for (let at = 0; at < SEQUENCES.length; at += 8) {
      const sequences = SEQUENCES.slice(at, at + 8)
        .join("")
        .toWellFormed();
      // An address with NUL in it does not even reach the upload.
      const shown = sequences.replaceAll("\0", "");
      const name = `tide ${at} ${shown}${"x".repeat(at * 20)}.txt`;
      const queued = await upload(name, `Tide ${at} turns ${sequences} at noon. ${prose}${at}`);
      const task = { task_id: queued["task_id"] };
      await expect
        .poll(async () => (await client.call("knowledge-task-status", task))["status"])
        .toBe("completed");
    }
    const shown = await client.call("knowledge-show", { limit: 100 });
    const names = (shown["documents"] as { filename: string }[]).map(({ filename }) => filename);
    expect(names.length).toBeGreaterThan(SEQUENCES.length / 8);
    for (const name of names) {
      expect(name).not.toMatch(RAW);
      expect(name).not.toContain("\n");
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
    }
  });

  test("no command prints a raw control byte, and every JSON is JSON", async () => {
    await client.call("knowledge-scope-put", {
      scope_id: "wild",
      tier: "PROJECT",
      description: wild,
    });
    await client.call("knowledge-entry-put", {
      scope_id: "wild",
      category: "tides",
      keyword: "k",
      content: wild,
    });
    const [{ id = "" } = {}] = (await client.call("knowledge-show", { limit: 1 }))["documents"] as {
      id: string;
    }[];
    const asked = wild.replaceAll("\0", "");
    const plain = [
      ["show", id],
      ["search", `tide ${asked}`],
      ["tasks"],
      ["answer", "When does tide 8 turn?"],
      ["scopes", "show", "wild", "--explain"],
      ["doctor"],
    ];
    const ran = await Promise.all(plain.map(async (args) => ({ args, ...(await run(...args)) })));
    for (const { args, stdout, stderr } of ran) {
      expect(stdout + stderr, args[0]).not.toBe("");
      expect(stdout + stderr, args[0]).not.toMatch(RAW);
    }
    const { stdout } = await run("show", "--json");
    expect(stdout).not.toMatch(RAW);
    expect(JSON.parse(stdout)).toMatchObject({ success: true });
  });

  test("the log has one JSON object per line", () => {
    // The last may still be on its way.
    const lines = program
      .stderr()
      .split("\n")
      .slice(0, -1)
      .filter((line) => line.startsWith("{"));
    expect(lines.length).toBeGreaterThan(20);
    expect(program.stderr()).not.toMatch(RAW);
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
  });

  test("a download's name is a token of the header's grammar", async () => {
    const shown = await client.call("knowledge-show", { limit: 100 });
    const [{ id, filename } = { id: "", filename: "" }] = shown["documents"] as {
      id: string;
      filename: string;
    }[];
    const response = await fetch(`${program.url}/api/documents/${id}/original`);
    const header = response.headers.get("content-disposition") ?? "";
    const name = /^attachment; filename\*=UTF-8''([\w.%-]+)$/.exec(header)?.[1];
    expect(decodeURIComponent(name ?? "")).toBe(filename);
  });
});
