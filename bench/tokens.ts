// What a model reads of this server: the list of tools, and ten search results over the project's own documents, for
// clients that hand on the text, the structured content, or both. `node bench/tokens.ts` prints the tables of
// docs/contract.md.
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const ROOT = join(import.meta.dirname, "..");
const QUERY = "how are documents removed and restored";
// English JSON has some four characters to a token.
const CHARACTERS_PER_TOKEN = 4;

const CHOICES = [
  "file,answers,documents,scopes",
  "documents",
  "documents:read",
  "scopes",
  "scopes:read",
];

const folder = await mkdtemp(join(tmpdir(), "knowledge-tokens-"));
try {
  await cp(join(ROOT, "docs"), join(folder, "docs"), { recursive: true });
  print("tools/list", await Promise.all(CHOICES.map(listed)));
  print("ten search results", await found());
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function listed(tools: string): Promise<readonly [string, unknown]> {
  const client = await open("list", ["--tools", tools]);
  const { tools: all } = await client.listTools();
  await client.close();
  const read = all.map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema,
  }));
  return [`--tools ${tools} (${all.length})`, read];
}

async function found(): Promise<readonly (readonly [string, unknown])[]> {
  const client = await open("documents", ["--root", folder]);
  for (const name of [
    "answers",
    "contract",
    "operations",
    "reliability",
    "rules",
    "storage-schema",
  ]) {
    const file_path = join(folder, "docs", `${name}.md`);
    const args = { file_path, async: false, metadata: { team: "docs" } };
    await client.callTool({ name: "knowledge-add", arguments: args }, { timeout: 300_000 });
  }
  const asked = { name: "knowledge-search", arguments: { query: QUERY } };
  const { content, structuredContent } = await client.callTool(asked);
  await client.close();
  const text = (content as readonly { readonly text?: string }[])
    .map((block) => block.text ?? JSON.stringify(block))
    .join("\n");
  return [
    ["text only", text],
    ["structured only", structuredContent],
    ["both", text + JSON.stringify(structuredContent)],
    ["passages alone", passagesOf(structuredContent)],
  ];
}

function passagesOf(structured: unknown): string {
  const { results } = structured as {
    readonly results: readonly { readonly chunk_text: string }[];
  };
  return results.map(({ chunk_text }) => chunk_text).join("\n");
}

async function open(name: string, args: readonly string[]): Promise<Client> {
  const client = new Client({ name: "tokens", version: "1" });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(ROOT, "src", "main.ts"), "--data-dir", join(folder, name), ...args],
      stderr: "ignore",
    }),
  );
  return client;
}

function print(title: string, rows: readonly (readonly [string, unknown])[]): void {
  process.stdout.write(`\n| ${title} | characters | tokens, about |\n|---|---|---|\n`);
  for (const [name, value] of rows) {
    const { length } = typeof value === "string" ? value : JSON.stringify(value);
    const tokens = Math.round(length / CHARACTERS_PER_TOKEN);
    process.stdout.write(
      `| ${name} | ${length.toLocaleString("en")} | ${tokens.toLocaleString("en")} |\n`,
    );
  }
}
