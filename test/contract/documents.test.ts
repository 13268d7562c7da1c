// The documents family against its contract, on the built program: the examples below are the contract's own.
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { progressIn } from "../support/clients.ts";
import { eventually } from "../support/eventually.ts";
import { makePdf } from "../support/files/pdf.ts";
import { type ShippedTools, shippedTools } from "../support/shipped-tools.ts";

/** A value with every leaf replaced by its type, every array by its first element: for comparing with examples. */
function shapeOf(value: object): object {
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, typeName(each)]));
}

function typeName(value: unknown): unknown {
  if (value === null) return "null";
  if (Array.isArray(value)) return value.slice(0, 1).map(typeName);
  return typeof value === "object" ? shapeOf(value) : typeof value;
}

let at: ShippedTools;
let guide = "";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const UNKNOWN = "00000000-0000-4000-8000-000000000000";

beforeAll(async () => {
  at = await shippedTools({ maxFileMb: 1 });
  guide = await at.write(
    "auth-guide.txt",
    "To configure authentication, first set up the OAuth2 provider. Then restart the server.",
  );
});
afterAll(() => at.dispose());

const add = (path: string, more: object = {}) =>
  at.call("knowledge-add", { file_path: path, async: false, ...more });

/** Pages that must be recognised: reading them takes long enough to be watched and cancelled. */
async function scan(name: string): Promise<string> {
  const jpeg = await readFile(new URL("../fixtures/scan.jpg", import.meta.url));
  const page = { jpeg, width: 850, height: 1100 };
  const path = join(at.root, name);
  await writeFile(path, makePdf(Array<typeof page>(20).fill(page)));
  return path;
}

const taskOf = async (path: string) => {
  const { task_id } = await at.call("knowledge-add", { file_path: path });
  return eventually(async () => {
    const status = await at.call("knowledge-task-status", { task_id });
    expect(["completed", "failed"]).toContain(status["status"]);
    return status;
  });
};

describe("an empty knowledge base", () => {
  test("is reported by a search", async () => {
    expect(await at.call("knowledge-search", { query: "anything" })).toEqual({
      success: false,
      error: "empty_knowledge_base",
      message: "Knowledge base is empty. Add documents with knowledge-add first",
      document_count: 0,
    });
  });

  test("is shown as such", async () => {
    expect(await at.call("knowledge-show", {})).toMatchObject({
      success: true,
      documents: [],
      total_count: 0,
      message: "Knowledge base is empty",
    });
  });

  test("has a status", async () => {
    // A server that waits for the processor is not healthy meanwhile.
    const status = await eventually(async () => {
      const now = await at.call("knowledge-status", {});
      expect(now).toMatchObject({ health: { status: "healthy" } });
      return now;
    });
    expect(status).toMatchObject({
      knowledge_base: { document_count: 0, average_chunks_per_document: 0 },
    });
    expect(status).not.toHaveProperty("last_updated");
  });
});

describe("knowledge-add", () => {
  test("returns a task at once", async () => {
    const queued = await at.call("knowledge-add", { file_path: guide });
    expect(queued).toEqual({
      success: true,
      task_id: expect.stringMatching(UUID),
      message: "Document queued for processing",
      estimated_time_seconds: expect.any(Number),
    });
    await eventually(async () => {
      const { status } = await at.call("knowledge-task-status", { task_id: queued["task_id"] });
      expect(status).toBe("completed");
    });
  });

  test("waits if requested", async () => {
    const path = await at.write("waits.txt", "A document that is waited for.");
    expect(await add(path)).toEqual({
      success: true,
      document_id: expect.stringMatching(UUID),
      filename: "waits.txt",
      chunks_created: 1,
      processing_method: "text_extraction",
      processing_time_seconds: expect.any(Number),
    });
  });

  test("reports content that is already present", async () => {
    const copy = await at.write("copy.txt", "A document that is waited for.");
    expect(await add(copy)).toMatchObject({ success: true, already_present: true });
    expect(await at.call("knowledge-add", { file_path: copy })).toMatchObject({
      already_present: true,
      document_id: expect.stringMatching(UUID),
    });
  });

  test("refuses an unsupported format with the contract's message", async () => {
    expect(await at.call("knowledge-add", { file_path: "/test/doc.xyz" })).toEqual({
      success: false,
      error: "unsupported_format",
      message:
        "Unsupported file format: .xyz. Use PDF, DOCX, PPTX, XLSX, HTML, JPG, PNG, or SVG. Also supported: MD, TXT, CSV, JSON, EPUB, ODT, ODS, ODP, RTF, EML, MSG, DOC, XLS, PPT, FB2, IPYNB, XML, YAML, TOML, LOG, MBOX, ZIP, and source code.",
      supported_formats: ["pdf", "docx", "pptx", "xlsx", "html", "jpg", "png", "svg"],
    });
  });

  test("refuses a file that is too large with the contract's message", async () => {
    const path = await at.write("large.txt", "x".repeat(1.5 * 1024 * 1024));
    expect(await add(path)).toEqual({
      success: false,
      error: "file_too_large",
      message: "File size (1.5 MB) exceeds maximum allowed size (1 MB)",
      max_size_mb: 1,
    });
  });

  test("reports the progress of a synchronous call to its caller", async () => {
    const path = await at.write("progress.txt", "Progress is told while this is read.");
    const before = progressIn(at.messages).length;
    const asked = { onprogress: () => {} };
    await at.call("knowledge-add", { file_path: path, async: false }, asked);
    const told = progressIn(at.messages)
      .slice(before)
      .filter(({ progressToken }) => typeof progressToken === "number");
    expect(told.length).toBeGreaterThan(0);
    expect(new Set(told.map(({ progressToken }) => progressToken)).size).toBe(1);
    expect(told.map(({ total }) => total)).toEqual(told.map(() => 1));
    const seen = told.map(({ progress }) => progress);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  });

  test("reports the progress of a task with the task's id, up to its end", async () => {
    const path = await at.write("task-progress.txt", "Progress is shown by the task's id.");
    const asked = { onprogress: () => {} };
    const { task_id } = await at.call("knowledge-add", { file_path: path }, asked);
    const values = () =>
      progressIn(at.messages)
        .filter(({ progressToken }) => progressToken === task_id)
        .map(({ progress }) => progress);
    await eventually(() => expect(values().at(-1)).toBe(1));
    expect(values()).toEqual([...new Set(values())].toSorted((a, b) => a - b));
  });
});

describe("knowledge-search", () => {
  test("returns what the contract shows", async () => {
    const query = "How to configure authentication?";
    const answer = await at.call("knowledge-search", { query });
    expect(shapeOf(answer)).toMatchObject(
      shapeOf({
        success: true,
        query,
        results: [
          {
            document_id: "uuid-v4-doc-id",
            chunk_id: "uuid-v4-chunk-id",
            filename: "auth-guide.pdf",
            chunk_text: "To configure authentication, first set up the OAuth2 provider...",
            relevance_score: 0.89,
            strength: "strong",
            metadata: { format: "pdf", date_added: "2025-10-26T10:00:00Z" },
          },
        ],
        total_results: 1,
        search_time_ms: 125,
      }),
    );
    const [first] = answer["results"] as Record<string, unknown>[];
    expect(first).toMatchObject({ filename: "auth-guide.txt" });
  });

  test("reports that nothing was found", async () => {
    const query = "authentication";
    const filters = { format: "pptx" };
    expect(await at.call("knowledge-search", { query, filters })).toEqual({
      success: true,
      query,
      results: [],
      total_results: 0,
      message: "No documents found matching your query",
      search_time_ms: expect.any(Number),
    });
  });

  test("leaves out weak results and counts them, unless a relevance is given", async () => {
    await add(await at.write("apples.txt", "Apples are kept in the cellar."));
    const query = "zzyzx flurble gronk";
    const filters = { filename: "apples.txt" };
    const none = await at.call("knowledge-search", { query, filters });
    expect(none).toMatchObject({ results: [], total_results: 0, weak_left_out: 1 });
    expect(none["message"]).toMatch(/^No documents found matching your query\. .*min_relevance 0/);
    expect(JSON.stringify(none).length).toBeLessThan(300);
    const all = await at.call("knowledge-search", { query, filters, min_relevance: 0 });
    expect(all).toMatchObject({ total_results: 1, results: [{ strength: "weak" }] });
    expect(all).not.toHaveProperty("weak_left_out");
  });

  test("takes a document and a page under the names that results give them", async () => {
    await add(await at.write("pears.txt", "Pears are kept in the attic."));
    const { documents } = await at.call("knowledge-show", { match: "pears.txt" });
    const [{ id, document_id }] = documents as [{ id: string; document_id: string }];
    expect(document_id).toBe(id);
    const read = await at.call("knowledge-read", { id });
    expect(read).toMatchObject({ success: true, document_id, date_added: expect.any(String) });
  });

  test("can be filtered by metadata", async () => {
    const path = await at.write("tagged.txt", "Authentication of tagged documents.");
    await add(path, {
      metadata: { author: "John Doe", tags: ["technical", "api-docs"], year: 2024 },
    });
    for (const filters of [
      { author: "John Doe" },
      { tags: ["api-docs"] },
      { tags: "technical", format: "txt" },
      { year: 2024 },
      { filename: "tagged.txt" },
      { author: "John Doe", date_range: { start: "2020-01-01", end: "2999-12-31" } },
    ]) {
      const { results } = await at.call("knowledge-search", { query: "authentication", filters });
      expect(results).toMatchObject([
        { filename: "tagged.txt", metadata: { author: "John Doe", format: "txt" } },
      ]);
    }
    const none = { query: "authentication", filters: { tags: "technical", format: "pdf" } };
    expect(await at.call("knowledge-search", none)).toMatchObject({ total_results: 0 });
  });

  test("the text states a document's facts once and omits fields for programs", async () => {
    const days = ["Monday", "Tuesday", "Friday"];
    const text = days
      .map((day) => `# ${day}\n\n${`On ${day} the keeper notes the canal's level. `.repeat(12)}`)
      .join("\n\n");
    await add(await at.write("canal.md", text), { metadata: { author: "Ada" } });
    const asked = { query: "level of the canal", filters: { filename: "canal.md" } };
    const { payload, structured, links } = await at.run("knowledge-search", asked);
    const [first, second] = (payload as { results: Record<string, unknown>[] }).results;
    expect(first).toMatchObject({ metadata: { author: "Ada", format: "md" } });
    expect(Object.keys(second?.["metadata"] ?? {})).toEqual([
      ...["format", "date_added", "headings"],
    ]);
    expect(JSON.stringify(payload)).not.toMatch(/"(span|resource)":/);
    const { results } = structured as { results: Record<string, unknown>[] };
    const whole = { author: "Ada", span: { start: expect.any(Number), end: expect.any(Number) } };
    expect(results).toMatchObject(results.map(() => ({ metadata: whole })));
    expect(links).toMatchObject([{ name: "canal.md", uri: results[0]?.["resource"] }]);
  });

  test("stays under 25,000 tokens for any request", async () => {
    const metadata = { note: "長".repeat(5000) };
    const numbers = Array.from({ length: 12 }, (_, n) => n);
    await Promise.all(
      numbers.map(async (n) => {
        const text = `夜間の保守作業の手順 ${n}。`.repeat(40);
        await add(await at.write(`long-${n}.txt`, text), { metadata });
      }),
    );
    const asked = { query: "保守作業", top_k: 50, max_chars: 10_000 };
    const answer = await at.call("knowledge-search", asked);
    // One token a character is more than any tokeniser makes of Japanese.
    expect(JSON.stringify(answer).length).toBeLessThan(25_000);
    expect((answer["results"] as unknown[]).length).toBeGreaterThan(5);
  });
});

describe("knowledge-add-text", () => {
  test("takes text from the conversation, and files as base64", async () => {
    const noted = await at.call("knowledge-add-text", {
      filename: "meeting notes",
      text: "The harbour crane is inspected each Thursday.",
      metadata: { source: "chat" },
      async: false,
    });
    expect(noted).toMatchObject({ success: true, filename: "meeting notes.md", chunks_created: 1 });
    const pdf = makePdf([["The lighthouse keeper paints the railing in spring."]]);
    const sent = await at.call("knowledge-add-text", {
      filename: "keeper.pdf",
      content_base64: pdf.toString("base64"),
      async: false,
    });
    expect(sent).toMatchObject({ success: true, filename: "keeper.pdf" });
    const found = await at.call("knowledge-search", {
      query: "When is the crane inspected?",
      filters: { source: "chat" },
    });
    expect(found["results"]).toMatchObject([{ document_id: noted["document_id"] }]);
  });

  test.each([
    [{ filename: "a.md" }, "missing_required_parameter"],
    [{ filename: "a.md", text: "x", content_base64: "eA==" }, "invalid_parameter"],
    [{ filename: "a.md", content_base64: "§§" }, "invalid_parameter"],
    [{ filename: "a.exe", text: "x" }, "unsupported_format"],
    [{ filename: ".env", text: "x" }, "access_denied"],
    [{ filename: "a.md", text: "" }, "empty_document"],
    [{ filename: "a.pdf", text: "no PDF at all" }, "invalid_parameter"],
    [{ filename: "a.pdf", content_base64: "bm8gUERG" }, "corrupt_file"],
  ])("refuses %j", async (args, error) => {
    const refused = await at.call("knowledge-add-text", { ...args, async: false });
    expect(refused).toMatchObject({ success: false, error });
  });

  test("refuses text under the name of a binary format before it is queued", async () => {
    const refused = await at.call("knowledge-add-text", { filename: "a.docx", text: "hello" });
    expect(refused).toMatchObject({ success: false, parameter: "filename" });
    expect(refused["message"]).toContain("names a DOCX file");
    expect(refused["message"]).toContain("content_base64");
  });
});

describe("knowledge-read", () => {
  const text = [
    "# Boats",
    ...["Sails", "Oars", "Anchors"].flatMap((name) => [
      `## ${name}`,
      `${name} are kept dry. `.repeat(30).trim(),
    ]),
  ].join("\n\n");
  let boats = "";
  beforeAll(async () => {
    const added = await add(await at.write("boats.md", text));
    boats = String(added["document_id"]);
  });

  test("reads around a search result, and reports what is before and after", async () => {
    const { results } = (await at.call("knowledge-search", {
      query: "oars kept dry",
      filters: { document_id: boats },
    })) as { results: { chunk_id: string; chunk_text: string }[] };
    const hit = results[0];
    const read = await at.call("knowledge-read", {
      document_id: boats,
      chunk_id: hit?.chunk_id,
      max_chars: 1_200,
    });
    expect(read).toMatchObject({
      success: true,
      filename: "boats.md",
      resource: `knowledge://documents/${boats}`,
    });
    expect(String(read["text"])).toContain("are kept dry");
    const { start, end } = read["span"] as { start: number; end: number };
    expect(read["text"]).toBe(text.slice(start, end));
    expect(end - start).toBeLessThanOrEqual(1_200);
    expect(read["before"]).toMatchObject({ characters: start });
    expect(read["after"]).toMatchObject({ characters: text.length - end });
  });

  test("reads a section, and the whole piece by piece", async () => {
    const section = await at.call("knowledge-read", { document_id: boats, heading: "oars" });
    expect(String(section["text"])).toMatch(/^## Oars\n\nOars are/);
    expect(section).toMatchObject({ headings: ["Boats"], after: { heading: "Anchors" } });
    const parts: string[] = [];
    for (let offset: unknown = 0; offset !== undefined; ) {
      const part = await at.call("knowledge-read", { document_id: boats, offset, max_chars: 400 });
      parts.push(String(part["text"]));
      offset = part["next_offset"];
    }
    expect(parts.length).toBeGreaterThan(4);
    expect(parts.join("")).toBe(text);
  });

  test.each([
    [{ document_id: UNKNOWN }, "document_not_found"],
    [{ page: 2 }, "invalid_parameter"],
    [{ chunk_id: "none" }, "invalid_parameter"],
    [{ heading: "Rudders" }, "invalid_parameter"],
    [{ offset: 1_000_000 }, "invalid_parameter"],
  ])("refuses %j", async (args, error) => {
    const refused = await at.call("knowledge-read", { document_id: boats, ...args });
    expect(refused).toMatchObject({ success: false, error });
    if ("heading" in args)
      expect(refused["headings"]).toEqual(["Boats", "Sails", "Oars", "Anchors"]);
  });
});

describe("knowledge-show", () => {
  test("lists as the contract shows", async () => {
    const answer = await at.call("knowledge-show", { limit: 2 });
    expect(shapeOf(answer)).toMatchObject(
      shapeOf({
        success: true,
        documents: [
          {
            id: "uuid-v4-doc-id-1",
            filename: "api-documentation.pdf",
            format: "pdf",
            size_bytes: 2048576,
            date_added: "2025-10-26T10:00:00Z",
            chunk_count: 45,
            processing_status: "completed",
            processing_method: "text_extraction",
          },
        ],
        total_count: 2,
        limit: 100,
        offset: 0,
      }),
    );
    expect(answer["documents"]).toHaveLength(2);
    expect(answer).toMatchObject({ limit: 2, offset: 0 });
  });

  test("sorts and pages", async () => {
    const names = async (args: object) =>
      ((await at.call("knowledge-show", args))["documents"] as { filename: string }[]).map(
        ({ filename }) => filename,
      );
    const all = await names({ sort_by: "filename", sort_order: "asc" });
    expect(all).toEqual(all.toSorted());
    expect(await names({ sort_by: "filename", sort_order: "asc", offset: 2, limit: 3 })).toEqual(
      all.slice(2, 5),
    );
    expect(await names({ match: "TAGGED" })).toEqual(["tagged.txt"]);
  });
});

describe("knowledge-task-status", () => {
  test("a running task is shown with its steps", async () => {
    const { task_id } = await at.call("knowledge-add", { file_path: await scan("held.pdf") });
    const running = await eventually(async () => {
      const status = await at.call("knowledge-task-status", { task_id });
      expect(status["current_step"]).toMatch(/^Processing page \d+ of 20$/);
      return status;
    });
    await at.call("knowledge-task-cancel", { task_id });
    expect(shapeOf(running)).toEqual(
      shapeOf({
        success: true,
        task_id: "uuid-v4-task-id",
        status: "running",
        progress: 0.65,
        current_step: "Processing page 13 of 20",
        step_codes: [{ code: "page", values: ["13", "20"] }],
        completed_steps: 13,
        total_steps: 20,
        elapsed_time_seconds: 15.5,
        estimated_remaining_seconds: 8.2,
      }),
    );
    expect(running).toMatchObject({ total_steps: 20 });
  });

  test("a completed task names its document", async () => {
    const done = await taskOf(await at.write("done.txt", "Done and findable."));
    expect(done).toEqual({
      success: true,
      task_id: expect.stringMatching(UUID),
      status: "completed",
      progress: 1,
      result: {
        document_id: expect.stringMatching(UUID),
        filename: "done.txt",
        chunks_created: 1,
      },
      total_time_seconds: expect.any(Number),
    });
  });

  test("a failed task has a reason, and the call itself succeeds", async () => {
    const path = await at.write("broken.pdf", "%PDF-1.4 damaged from the start");
    const failed = await taskOf(path);
    expect(failed).toEqual({
      success: false,
      task_id: expect.stringMatching(UUID),
      status: "failed",
      error: "corrupt_file",
      message: expect.stringContaining("damaged"),
      reason: { code: "pdfCutOff", values: [] },
      elapsed_time_seconds: expect.any(Number),
    });
    const output = await at.run("knowledge-task-status", { task_id: failed["task_id"] });
    expect(output.isError).toBeFalsy();
    expect(await add(path)).toEqual({
      success: false,
      error: "corrupt_file",
      message: expect.stringContaining("damaged"),
      reason: { code: "pdfCutOff", values: [] },
    });
  });

  test("reports an unknown task", async () => {
    for (const tool of ["knowledge-task-status", "knowledge-task-cancel"]) {
      expect(await at.call(tool, { task_id: UNKNOWN })).toEqual({
        success: false,
        error: "task_not_found",
        message: `Task with ID '${UNKNOWN}' not found`,
        task_id: UNKNOWN,
      });
    }
  });

  test("a cancelled task is reported as cancelled", async () => {
    const { task_id } = await at.call("knowledge-add", { file_path: await scan("cancelled.pdf") });
    expect(await at.call("knowledge-task-cancel", { task_id })).toEqual({
      success: true,
      task_id,
      status: "cancelled",
      message: "Task cancelled",
    });
    expect(await at.call("knowledge-task-status", { task_id })).toMatchObject({
      success: true,
      status: "cancelled",
    });
    expect(await at.call("knowledge-show", { match: "cancelled" })).toMatchObject({
      total_count: 0,
    });
  });
});

describe("knowledge-remove", () => {
  test("asks first, then removes", async () => {
    const path = await at.write("old-document.txt", "To be removed soon.");
    const { document_id } = await add(path);
    expect(await at.call("knowledge-remove", { document_id })).toEqual({
      success: false,
      error: "confirmation_required",
      message: "Set confirm=true to remove this document",
      document: { id: document_id, filename: "old-document.txt", chunks: 1 },
    });
    expect(await at.call("knowledge-remove", { document_id, confirm: true })).toEqual({
      success: true,
      document_id,
      filename: "old-document.txt",
      chunks_removed: 1,
      message: "Document removed successfully",
    });
    const filters = { document_id: document_id as string };
    const search = { query: "to be removed soon", filters };
    expect(await at.call("knowledge-search", search)).toMatchObject({ total_results: 0 });
  });

  test("reports an unknown document", async () => {
    for (const confirm of [false, true]) {
      expect(await at.call("knowledge-remove", { document_id: UNKNOWN, confirm })).toEqual({
        success: false,
        error: "document_not_found",
        message: `Document with ID '${UNKNOWN}' not found`,
        document_id: UNKNOWN,
      });
    }
  });
});

describe("knowledge-status", () => {
  test("returns what the contract shows", async () => {
    expect(shapeOf(await at.call("knowledge-status", {}))).toMatchObject(
      shapeOf({
        success: true,
        knowledge_base: {
          name: "default",
          document_count: 42,
          total_chunks: 1850,
          total_size_bytes: 131072000,
          total_size_mb: 125.0,
          average_chunks_per_document: 44.0,
          storage_path: "/data/documents",
          vector_db_path: "/data/chromadb",
        },
        health: {
          status: "healthy",
          vector_db_connected: true,
          storage_accessible: true,
          embedding_model_loaded: true,
        },
        configuration: {
          embedding_model: "sentence-transformers/all-MiniLM-L6-v2",
          chunk_size: 500,
          max_file_size_mb: 100,
        },
        last_updated: "2025-10-26T14:30:00Z",
      }),
    );
  });
});

describe("arguments", () => {
  test.each([
    ["knowledge-add", "file_path"],
    ["knowledge-search", "query"],
    ["knowledge-remove", "document_id"],
    ["knowledge-clear", "confirm"],
    ["knowledge-task-status", "task_id"],
    ["knowledge-task-cancel", "task_id"],
  ])("%s needs %s", async (tool, parameter) => {
    const output = await at.run(tool, {});
    expect(output.isError).toBe(true);
    expect(output.payload).toMatchObject({
      success: false,
      error: "missing_required_parameter",
      parameter,
      message: expect.stringContaining(`'${parameter}'`),
    });
  });

  test.each([
    ["knowledge-add", { file_path: "" }, "file_path", ""],
    ["knowledge-add", { file_path: 7 }, "file_path", ""],
    ["knowledge-add", { file_path: "https://a.example/b.pdf" }, "file_path", "web address"],
    ["knowledge-add", { file_path: "a.txt", metadata: "text" }, "metadata", ""],
    ["knowledge-add", { file_path: "a.txt", async: "yes" }, "async", ""],
    ["knowledge-search", { query: "  " }, "query", "1 to 500"],
    ["knowledge-search", { query: "x".repeat(501) }, "query", "1 to 500"],
    ["knowledge-search", { query: "x", top_k: 51 }, "top_k", "1 to 50"],
    ["knowledge-search", { query: "x", top_k: 0 }, "top_k", "1 to 50"],
    ["knowledge-search", { query: "x", top_k: 2.5 }, "top_k", "1 to 50"],
    ["knowledge-search", { query: "x", min_relevance: 1.1 }, "min_relevance", "0.0 to 1.0"],
    ["knowledge-search", { query: "x", min_relevance: -1 }, "min_relevance", "0.0 to 1.0"],
    ["knowledge-search", { query: "x", filters: { format: "xyz" } }, "filters.format", "pdf"],
    ["knowledge-search", { query: "x", filters: [] }, "filters", ""],
    ["knowledge-show", { limit: 1001 }, "limit", "1 to 1000"],
    ["knowledge-show", { limit: 0 }, "limit", "1 to 1000"],
    ["knowledge-show", { offset: -1 }, "offset", "at least 0"],
    ["knowledge-show", { sort_by: "colour" }, "sort_by", "date_added"],
    ["knowledge-show", { sort_order: "up" }, "sort_order", "asc"],
    ["knowledge-task-status", { task_id: "no-uuid" }, "task_id", "UUID"],
  ])("%s refuses %j", async (tool, args, parameter, range) => {
    const output = await at.run(tool, args);
    expect(output.isError).toBe(true);
    const payload = output.payload as { message: string };
    expect(payload).toMatchObject({ success: false, error: "invalid_parameter", parameter });
    expect(payload.message).toContain(range);
  });

  test.each([
    ["/etc/passwd.txt", "access_denied"],
    ["~/.ssh/id_rsa", "access_denied"],
    ["missing.pdf", "file_not_found"],
  ])("knowledge-add of %s is %s, and no path of the host is shown", async (file_path, error) => {
    const payload = await at.call("knowledge-add", { file_path });
    expect(payload).toMatchObject({ success: false, error });
    expect(payload["message"]).not.toContain("/");
  });

  test("a folder without supported files is refused with a remedy", async () => {
    const folder = join(at.root, "folder");
    await mkdir(folder);
    expect(await at.call("knowledge-add", { file_path: folder })).toMatchObject({
      error: "empty_document",
      message: expect.stringContaining("folder"),
    });
  });
});

describe("a folder", () => {
  const COUNTS = { found: 3, added: 2, unchanged: 0, failed: 1, skipped: 0 };
  const FAILURES = [
    {
      file: "broken.pdf",
      error: "corrupt_file",
      message: expect.any(String),
      reason: { code: "pdfCutOff", values: [] },
    },
  ];

  test("names what it leaves out, and why, at once and at its end", async () => {
    const folder = await newFolder("mixed");
    const files = { "old.zip": "PK", "a.exe": "x", "b.bin": "x", ".hidden.bin": "x", "c.tmp": "x" };
    for (const [name, text] of Object.entries({ ...files, ".gitignore": "*.tmp", "d.txt": "" }))
      await writeFile(join(folder, name), text);
    await symlink(join(folder, "a.exe"), join(folder, "link.txt"));
    const queued = await at.call("knowledge-add", { file_path: folder });
    expect(queued["message"]).toBe(
      "3 files queued for processing. Left out: 1 ZIP archive (add it by name: old.zip), 2 files of other formats, 1 ignored (.gitignore, .knowledgeignore), 2 hidden or private, 1 symbolic link, 1 empty file",
    );
    const left_out = { archives: 1, other_formats: 2, ignored: 1, hidden: 2, links: 1, empty: 1 };
    expect(queued["folder"]).toEqual({ found: 3, left_out });
    const { task_id } = queued;
    await eventually(async () => {
      const status = await at.call("knowledge-task-status", { task_id });
      expect(status["result"]).toMatchObject({ folder: { found: 3, left_out } });
    });
    const waited = await at.call("knowledge-add", { file_path: folder, async: false });
    expect(waited["folder"]).toMatchObject({ found: 3, left_out });
  });

  test("is one task, with counts while it runs and at its end", async () => {
    const folder = await newFolder("team");
    const queued = await at.call("knowledge-add", { file_path: folder });
    expect(queued).toEqual({
      success: true,
      task_id: expect.stringMatching(UUID),
      message: "3 files queued for processing",
      estimated_time_seconds: expect.any(Number),
      folder: { found: 3 },
    });
    const status = await eventually(async () => {
      const { task_id } = queued;
      const now = await at.call("knowledge-task-status", { task_id });
      expect(now["status"]).toBe("completed");
      return now;
    });
    expect(status["result"]).toEqual({
      filename: "team",
      chunks_created: 2,
      folder: { ...COUNTS, failures: FAILURES },
    });
  });

  test("can be waited for", async () => {
    expect(await add(await newFolder("squad"))).toEqual({
      success: true,
      filename: "squad",
      chunks_created: 2,
      processing_time_seconds: expect.any(Number),
      folder: { ...COUNTS, failures: FAILURES },
    });
  });

  async function newFolder(name: string): Promise<string> {
    const folder = join(at.root, name);
    await mkdir(join(folder, "deep"), { recursive: true });
    await writeFile(join(folder, "broken.pdf"), "%PDF-1.7 and nothing more");
    await writeFile(join(folder, "lunch.md"), `# Lunch\n\nThe ${name} eats at noon.`);
    await writeFile(join(folder, "deep", "tea.txt"), `The ${name} has tea at four.`);
    return folder;
  }
});

describe("resources", () => {
  test("a document is read whole and by page", async () => {
    const { document_id: id } = await add(await at.write("read-me.txt", "Text of a resource."));
    expect(await at.readResource(`knowledge://documents/${id}`)).toBe("Text of a resource.");
    expect(await at.readResource(`knowledge://documents/${id}/pages/1`)).toBe(
      "Text of a resource.",
    );
    await expect(at.readResource(`knowledge://documents/${id}/pages/2`)).rejects.toThrow(/page/i);
    await expect(at.readResource(`knowledge://documents/${UNKNOWN}`)).rejects.toThrow(/not found/i);
  });
});

// Last, because it empties the knowledge base.
describe("knowledge-clear", () => {
  test.each([
    { confirm: false, confirmation_phrase: "DELETE ALL" },
    { confirm: true, confirmation_phrase: "delete all" },
    { confirm: true, confirmation_phrase: "" },
  ])("%j is not enough", async (args) => {
    expect(await at.call("knowledge-clear", args)).toEqual({
      success: false,
      error: "confirmation_required",
      message:
        "This action will delete ALL documents. Set confirm=true and confirmation_phrase='DELETE ALL' to proceed",
      current_document_count: expect.any(Number),
    });
  });

  test("removes everything and returns the totals", async () => {
    const { total_count } = await at.call("knowledge-show", {});
    const args = { confirm: true, confirmation_phrase: "DELETE ALL" };
    expect(await at.call("knowledge-clear", args)).toEqual({
      success: true,
      documents_removed: total_count,
      embeddings_removed: expect.any(Number),
      storage_freed_mb: expect.any(Number),
      message: "Knowledge base cleared successfully",
    });
    expect(await at.call("knowledge-show", {})).toMatchObject({ total_count: 0 });
  });
});
