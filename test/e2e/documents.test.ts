// The documents family through a real client, on every transport: the program runs as its own process.
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { progressIn, TRANSPORTS } from "../support/clients.ts";
import { eventually } from "../support/eventually.ts";
import { type Connected, connect, type ServerPlace } from "../support/spawned.ts";
import { tempFolder } from "../support/temp-folder.ts";

const GUIDE = `# Operating the boiler

## Ignition

Press the green button for three seconds until the pilot light burns steadily.

## Fault codes

| code | meaning |
|---|---|
| E-4711 | flame sensor dirty |
| E-0815 | water pressure too low |
`;

const PAGE = `<!doctype html><html><head><title>手順書</title></head><body>
<h1>返品の手続き</h1><p>商品の到着から三十日以内であれば、返品を受け付けます。</p></body></html>`;

/** Thousands of chunks: it is still at work when a busy machine asks after it. */
const BOOK = Array.from(
  { length: 40_000 },
  (_, n) => `Sentence ${n} tells of the ${n % 97}th lantern in harbour ${n % 89}.`,
).join(" ");

describe.each(TRANSPORTS)("over %s", (transport) => {
  let place: ServerPlace;
  let at: Connected;

  const write = async (name: string, text: string) => {
    const path = join(place.root, name);
    await writeFile(path, text);
    return path;
  };
  const ended = (task_id: unknown) =>
    eventually(async () => {
      const status = await at.call("knowledge-task-status", { task_id });
      expect(["completed", "failed", "cancelled"]).toContain(status["status"]);
      return status;
    });

  beforeAll(async () => {
    const folder = tempFolder("documents-e2e");
    place = { dataDir: join(folder, "data"), root: join(folder, "files") };
    await mkdir(place.root);
    at = await connect(transport, place);
  });
  afterAll(async () => {
    await at?.close();
    await rm(join(place.dataDir, ".."), { recursive: true, force: true });
  });

  test("a task reports on the connection that started it and ends findable", async () => {
    const path = await write("boiler.md", GUIDE);
    const queued = await at.call(
      "knowledge-add",
      { file_path: path, metadata: { tags: ["heat"] } },
      { onprogress: () => {} },
    );
    expect(queued).toMatchObject({ success: true, message: "Document queued for processing" });
    expect(await ended(queued["task_id"])).toMatchObject({
      status: "completed",
      result: { filename: "boiler.md" },
    });
    const found = await at.call("knowledge-search", { query: "how do I light it?", top_k: 3 });
    expect((found["results"] as { chunk_text: string }[])[0]?.chunk_text).toContain("green button");
    const told = () =>
      progressIn(at.messages).filter(({ progressToken }) => progressToken === queued["task_id"]);
    await expect.poll(() => told().length).toBeGreaterThan(0);
  });

  test("a synchronous add reports to its request and returns the document", async () => {
    const path = await write("returns.html", PAGE);
    const added = await at.call(
      "knowledge-add",
      { file_path: path, async: false },
      { onprogress: () => {} },
    );
    expect(added).toMatchObject({ success: true, filename: "returns.html", chunks_created: 1 });
    const told = progressIn(at.messages).filter(
      ({ progressToken }) => typeof progressToken === "number",
    );
    expect(told.length).toBeGreaterThan(0);
    const found = await at.call("knowledge-search", {
      query: "返品の期限",
      filters: { format: "html" },
    });
    expect(found["results"]).toMatchObject([{ filename: "returns.html" }]);
  });

  test("identifiers are found, and filters apply", async () => {
    const byCode = await at.call("knowledge-search", { query: "E-4711" });
    expect((byCode["results"] as { chunk_text: string }[])[0]?.chunk_text).toContain("E-4711");
    const tagged = await at.call("knowledge-search", {
      query: "anything at all",
      filters: { tags: "heat" },
    });
    for (const result of tagged["results"] as { filename: string }[]) {
      expect(result.filename).toBe("boiler.md");
    }
  });

  test("documents are listed and are resources", async () => {
    const { documents } = await at.call("knowledge-show", {
      sort_by: "filename",
      sort_order: "asc",
    });
    expect(documents).toMatchObject([{ filename: "boiler.md" }, { filename: "returns.html" }]);
    const { resources } = await at.client.listResources();
    const listed = resources.filter(({ uri }) => uri.startsWith("knowledge://documents/"));
    expect(listed).toHaveLength(2);
    const boiler = listed.find(({ name }) => name === "boiler.md");
    const { contents } = await at.client.readResource({ uri: boiler?.uri ?? "" });
    expect((contents[0] as { text: string }).text).toContain("## Fault codes");
  });

  test("a running task is cancelled by tools/cancel and leaves nothing", async () => {
    const path = await write("book.txt", BOOK);
    const { task_id } = await at.call("knowledge-add", { file_path: path });
    await eventually(async () => {
      const status = await at.call("knowledge-task-status", { task_id });
      expect(status["current_step"]).toBe("Generating embeddings");
    });
    await at.client.request(
      { method: "tools/cancel", params: { taskId: task_id } },
      z.looseObject({}) as never,
    );
    expect(await at.call("knowledge-task-status", { task_id })).toMatchObject({
      status: "cancelled",
    });
    expect(await at.call("knowledge-show", { match: "book" })).toMatchObject({ total_count: 0 });
    await eventually(async () => expect(await originals(place)).toHaveLength(2));
  });

  test("a synchronous add ends with its cancelled request", async () => {
    const path = await write("book.txt", `${BOOK} once more`);
    const stop = new AbortController();
    const call = at.call(
      "knowledge-add",
      { file_path: path, async: false },
      { signal: stop.signal },
    );
    await eventually(async () => {
      const { tasks } = await at.call("knowledge-status", {});
      expect(tasks).toMatchObject({ running: 1 });
    });
    stop.abort();
    await expect(call).rejects.toThrow();
    await eventually(async () => {
      const { tasks } = await at.call("knowledge-status", {});
      expect(tasks).toMatchObject({ queued: 0, running: 0 });
    });
    expect(await at.call("knowledge-show", { match: "book" })).toMatchObject({ total_count: 0 });
  });

  test("removed and cleared documents are no longer found", async () => {
    const { documents } = await at.call("knowledge-show", { match: "boiler" });
    const [{ id }] = documents as [{ id: string }];
    await at.call("knowledge-remove", { document_id: id, confirm: true });
    const gone = await at.call("knowledge-search", { query: "green button" });
    expect(JSON.stringify(gone)).not.toContain("green button for");
    const cleared = await at.call("knowledge-clear", {
      confirm: true,
      confirmation_phrase: "DELETE ALL",
    });
    expect(cleared).toMatchObject({ success: true, documents_removed: 1 });
    expect(await at.call("knowledge-search", { query: "x" })).toMatchObject({
      error: "empty_knowledge_base",
    });
    // The file of the add that was cancelled goes when its work has stopped.
    await eventually(async () => expect(await originals(place)).toEqual([]));
  });
});

async function originals({ dataDir }: ServerPlace): Promise<readonly string[]> {
  const names = await readdir(join(dataDir, "originals"), { recursive: true });
  return names.filter((name) => /[0-9a-f]{64}$/.test(name));
}
