// What every client is asked to do, and the files that it needs.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LAST_DOCUMENT, LAST_TASK, type Step } from "./model.ts";

export interface Files {
  readonly folder: string;
  readonly kbFile: string;
}

const MEGABYTE = 1024 * 1024;
const LINE = "Herons wait for a long time and take fish, frogs and voles at the water's edge.\n";

const DRAWING =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100"><rect width="80" height="40" fill="#0a0"/><text x="10" y="80" font-size="12">Where herons nest</text></svg>';

/** A note, a drawing, a long text, one that takes long enough to be cancelled, and a raw file of almost 10 MB. */
export function writeFiles(folder: string): Files {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "note.md"), "# Birds\n\nThe heron waits by the river.\n");
  writeFileSync(join(folder, "long.md"), `# Long\n\n${LINE.repeat(2_000)}`);
  writeFileSync(join(folder, "drawing.svg"), DRAWING);
  const many = Array.from({ length: 150_000 }, (_, at) => `Sentence ${at}: ${LINE}`).join("\n");
  writeFileSync(join(folder, "slow.md"), many);
  const kbFile = join(folder, "kb.txt");
  writeFileSync(kbFile, LINE.repeat(Math.floor((9.9 * MEGABYTE) / LINE.length)));
  return { folder, kbFile };
}

const ours = (name: string) => new RegExp(`${name.replaceAll(/[-_]/g, "[-_]")}$`);

export function everyday({ folder }: Files): readonly Step[] {
  const at = (name: string) => join(folder, name);
  return [
    { name: "resources", tool: /^(list_mcp_resources|ListMcpResourcesTool)$/, args: {} },
    { name: "add", tool: ours("knowledge-add"), args: { file_path: at("note.md"), async: false } },
    { name: "search", tool: ours("knowledge-search"), args: { query: "heron" } },
    {
      name: "read",
      tool: /^(read_mcp_resource|ReadMcpResourceTool)$/,
      args: { server: "knowledge", uri: "knowledge://tasks" },
    },
    { name: "answer", tool: ours("kb_answer"), args: { query: "Where does the heron wait?" } },
    {
      name: "missing file",
      tool: ours("knowledge-add"),
      args: { file_path: at("none.md"), async: false },
    },
    { name: "bad argument", tool: ours("knowledge-search"), args: { query: "heron", top_k: 0 } },
    { name: "long task", tool: ours("knowledge-add"), args: { file_path: at("long.md") } },
    { name: "task status", tool: ours("knowledge-task-status"), args: { task_id: LAST_TASK } },
    { name: "10 MB file", tool: ours("get_kb_content"), args: {} },
  ];
}

export function slow({ folder }: Files): readonly Step[] {
  const args = { file_path: join(folder, "slow.md"), async: false };
  return [{ name: "slow add", tool: ours("knowledge-add"), args }];
}

/** A result with notes, one with links, one with an image, and an error. */
export function marked({ folder }: Files): readonly Step[] {
  return [
    {
      name: "add",
      tool: ours("knowledge-add"),
      args: { file_path: join(folder, "drawing.svg"), async: false },
    },
    {
      name: "image",
      tool: ours("knowledge-read"),
      args: { document_id: LAST_DOCUMENT, as: "image" },
    },
    { name: "search", tool: ours("knowledge-search"), args: { query: "Where do herons nest?" } },
    { name: "answer", tool: ours("kb_answer"), args: { query: "Where do herons nest?" } },
    {
      name: "missing file",
      tool: ours("knowledge-add"),
      args: { file_path: join(folder, "none.md"), async: false },
    },
  ];
}
