// What a model reads of this server: the list of tools, and ten search results over the project's own documents, for
// clients that hand on the text, the structured content, or both. `node bench/tokens.ts` prints the tables of
// docs/contract.md. With `--data DIR` it also adds the files of DIR/documents and asks the questions about them: what
// a call's text costs, and how often it has the answer.
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const { values } = parseArgs({ options: { data: { type: "string" } } });
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
  if (values.data !== undefined) await askReal(resolve(values.data, "documents"));
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
    await add(client, join(folder, "docs", `${name}.md`), { team: "docs" });
  }
  const asked = { name: "knowledge-search", arguments: { query: QUERY, min_relevance: 0 } };
  const { content, structuredContent } = await client.callTool(asked);
  await client.close();
  const text = textOf(content);
  return [
    ["text only", text],
    ["structured only", structuredContent],
    ["both", text + JSON.stringify(structuredContent)],
    ["passages alone", passagesOf(structuredContent)],
  ];
}

async function askReal(data: string): Promise<void> {
  const client = await open("real", ["--root", data]);
  for (const name of await readdir(join(data, "files"))) {
    await add(client, join(data, "files", name), {});
  }
  const lines = (await readFile(join(data, "questions.jsonl"), "utf8")).trim().split("\n");
  const questions = lines.map((line) => JSON.parse(line) as Question);
  for (const [name, more] of [
    ["knowledge-search", {}],
    ["knowledge-search", { min_relevance: 0 }],
    ["kb_answer", {}],
  ] as const) {
    const sum = { characters: 0, answered: 0 };
    for (const { question: query, phrase } of questions) {
      const { content } = await client.callTool({ name, arguments: { query, ...more } });
      const text = textOf(content);
      sum.characters += text.length;
      if (plain(text).includes(plain(JSON.stringify(phrase).slice(1, -1)))) sum.answered += 1;
    }
    const mean = "x".repeat(Math.round(sum.characters / questions.length));
    const has = `the answer in ${sum.answered} of ${questions.length}`;
    print(`mean over ${questions.length} questions`, [
      [`${name} ${JSON.stringify(more)}, ${has}`, mean],
    ]);
  }
  await client.close();
}

interface Question {
  readonly question: string;
  readonly phrase: string;
}

function plain(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\s+|\\n/g, "");
}

async function add(client: Client, file_path: string, metadata: object): Promise<void> {
  const args = { file_path, async: false, metadata };
  await client.callTool({ name: "knowledge-add", arguments: args }, { timeout: 300_000 });
}

function textOf(content: unknown): string {
  return (content as readonly { readonly text?: string }[])
    .map((block) => block.text ?? JSON.stringify(block))
    .join("\n");
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
