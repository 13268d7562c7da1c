// `export` and `import`: everything as plain files, which need no program to be read.
//
//   FOLDER/documents/SCOPE/report.pdf                  the file as it was added
//   FOLDER/documents/SCOPE/report.pdf.metadata.json    what is known about it
//   FOLDER/rules/rules.yaml                            all rules; with --rules also as files for agents
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { isJsonObject } from "../../domain/call/json-object.ts";
import { defined } from "../../domain/defined.ts";
import { isOutage, toKnowledgeError } from "../../domain/errors.ts";
import { RULE_FILE_FORMATS, type RuleFileFormat } from "../../domain/scope.ts";
import type { ExportedRow, Operations, PortableDocument } from "../../tools/operations.ts";
import { onlyArgument } from "../arguments.ts";
import { type CommandContext, command } from "../command.ts";
import { refusal } from "../texts.ts";

const PAGE = 500;
const SIDECAR = ".metadata.json";
const MAX_SIDECAR_BYTES = 1024 * 1024;
const DENIED = /^(?:STORE_|AUDIT_|ACCESS_)/;
const RULES = join("rules", "rules.yaml");

export const exportAll = command({
  name: "export",
  summary: "Write documents and rules to a folder of plain files",
  effect: "export",
  usage: "export FOLDER [--scope SCOPE] [--rules FORMAT]",
  takesFiles: true,
  options: {
    scope: { help: "only the documents and rules of this scope", value: "SCOPE" },
    rules: {
      help: "also write rules as files for coding agents: agents (AGENTS.md), cursor or copilot",
      value: "FORMAT",
      choices: RULE_FILE_FORMATS,
    },
  },
  examples: `
    knowledge-server export ~/leaving                 # everything, as originals with their metadata
    knowledge-server export ~/leaving --rules agents  # rules as AGENTS.md files too
  `,
  async run(context) {
    const { args, options, terminal, signal } = context;
    const folder = onlyArgument(args, "FOLDER");
    const { scope, rules: format } = options;
    await mkdir(folder, { recursive: true });
    if ((await readdir(folder)).length > 0)
      throw refusal("INVALID_PARAMETER", "{0} is not empty. Name a new folder.", folder);
    const { operations } = await context.openApp();
    const documents = await terminal.during(
      terminal.t("Writing documents"),
      writeDocuments(operations, { folder, scope, signal }),
    );
    const scopes = await writeRules(operations, { folder, scope, format });
    terminal.result({ folder, documents, scopes }, () =>
      terminal.report("Exported {0|document|documents} and {1|scope|scopes}.", documents, scopes),
    );
    return 0;
  },
});

export const importAll = command({
  name: "import",
  summary: "Add what 'export' wrote; what is here already stays as it is",
  effect: "write",
  usage: "import FOLDER",
  takesFiles: true,
  options: {},
  examples: `
    knowledge-server import ~/leaving  # into this knowledge base
  `,
  async run(context) {
    const { args, terminal, signal } = context;
    const folder = onlyArgument(args, "FOLDER");
    const looked = await stat(folder).catch(() => undefined);
    if (!looked?.isDirectory()) throw refusal("FILE_NOT_FOUND", "No such folder: {0}", folder);
    const { operations } = await context.openApp();
    const rules = join(folder, RULES);
    const hasRules = await stat(rules).catch(() => undefined);
    const none = { prune: false, guides: false, strict: true, replace: false };
    if (hasRules?.isFile()) await operations.importRules([rules], none);
    const report = await readDocuments(join(folder, "documents"), context, operations, signal);
    terminal.result(report, () => {
      terminal.report("{0} added, {1} unchanged", report.added, report.unchanged);
      for (const { file, message } of report.failures) terminal.note(`  ${file}: ${message}`);
    });
    return report.failures.length > 0 ? 1 : 0;
  },
});

interface Writing {
  readonly folder: string;
  readonly scope: string | undefined;
  readonly signal: AbortSignal;
}

async function writeDocuments(operations: Operations, { folder, scope, signal }: Writing) {
  const taken = new Set<string>();
  let written = 0;
  for (let offset = 0; ; offset += PAGE) {
    const rows = await operations.exportDocuments({ scope, offset, limit: PAGE });
    for (const row of rows) {
      signal.throwIfAborted();
      const name = freeName(join("documents", folderName(row.scope)), row.filename, taken);
      await writeDocument(operations, row, join(folder, name));
    }
    written += rows.length;
    if (rows.length < PAGE) return written;
  }
}

async function writeDocument(operations: Operations, row: ExportedRow, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  const { body, release } = await operations.original(row.documentId);
  try {
    await pipeline(body, createWriteStream(to, { flags: "wx" }));
  } finally {
    await release();
  }
  const { metadata: metadataAttributes, ...document } = row;
  const sidecar = JSON.stringify({ metadataAttributes, document }, undefined, 2);
  await writeFile(to + SIDECAR, `${sidecar}\n`, { flag: "wx" });
}

/** A scope's id may have what a folder's name may not. */
function folderName(scope: string): string {
  return scope.replace(/[^\p{L}\p{N}._-]+/gu, "_").replace(/^\.+/, "_");
}

/** Also on systems that do not tell upper from lower case. */
function freeName(folder: string, filename: string, taken: Set<string>): string {
  const safe = filename.replace(/[\\:*?"<>|]+/g, "_");
  const [, stem = "", extension = ""] = /^(.*?)(\.[^.]*)?$/s.exec(safe) ?? [];
  for (let copy = 1; ; copy += 1) {
    const name = join(folder, copy === 1 ? safe : `${stem} (${copy})${extension}`);
    const [key, sidecar] = [name.toLowerCase(), `${name.toLowerCase()}${SIDECAR}`];
    if (taken.has(key) || taken.has(sidecar)) continue;
    taken.add(key).add(sidecar);
    return name;
  }
}

interface RulesToWrite {
  readonly folder: string;
  readonly scope: string | undefined;
  readonly format: RuleFileFormat | undefined;
}

async function writeRules(operations: Operations, { folder, scope, format }: RulesToWrite) {
  const rules = await operations.rules();
  const known = await rules.list();
  const ids = known.map(({ id }) => id).filter((id) => scope === undefined || id === scope);
  if (ids.length === 0) return 0;
  await mkdir(join(folder, "rules"), { recursive: true });
  await writeFile(join(folder, RULES), await rules.export("yaml", ids), { flag: "wx" });
  if (format === undefined) return ids.length;
  for (const id of ids)
    for (const [path, text] of await rules.exportFiles(format, id)) {
      const to = join(folder, "rules", folderName(id), path);
      await mkdir(dirname(to), { recursive: true });
      await writeFile(to, text, { flag: "wx" });
    }
  return ids.length;
}

interface ImportedFolder {
  added: number;
  unchanged: number;
  readonly failures: { readonly file: string; readonly message: string }[];
}

async function readDocuments(
  folder: string,
  { terminal }: CommandContext,
  operations: Operations,
  signal: AbortSignal,
): Promise<ImportedFolder> {
  const report: ImportedFolder = { added: 0, unchanged: 0, failures: [] };
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const sidecars = entries.filter((each) => each.isFile() && each.name.endsWith(SIDECAR));
  await terminal.track(async ({ update }) => {
    for (const [at, { parentPath, name }] of sidecars.entries()) {
      signal.throwIfAborted();
      const file = join(parentPath, name.slice(0, -SIDECAR.length));
      update(`${at + 1}/${sidecars.length}`, at / sidecars.length);
      try {
        report[await readDocument(file, operations, signal)] += 1;
      } catch (thrown) {
        signal.throwIfAborted();
        const error = toKnowledgeError(thrown);
        // Of the knowledge base, not of this file.
        if (isOutage(error.code) || DENIED.test(error.code)) throw error;
        report.failures.push({ file, message: terminal.explain(error) });
      }
    }
  });
  return report;
}

async function readDocument(file: string, operations: Operations, signal: AbortSignal) {
  const facts = await readSidecar(file + SIDECAR);
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  const body = createReadStream(file);
  return operations.importDocument({ ...facts, contentHash: hash.digest("hex"), body }, { signal });
}

async function readSidecar(path: string): Promise<Omit<PortableDocument, "contentHash">> {
  const { size } = await stat(path);
  const text = size > MAX_SIDECAR_BYTES ? "" : await readFile(path, "utf8");
  try {
    const facts = toFacts(JSON.parse(text));
    if (facts) return facts;
  } catch {
    // It is not JSON.
  }
  throw refusal("CORRUPT_FILE", "Its metadata file was not written by 'export'.");
}

function toFacts(found: unknown): Omit<PortableDocument, "contentHash"> | undefined {
  if (!isJsonObject(found) || !isJsonObject(found["document"])) return undefined;
  const { filename, scope, path, modified } = found["document"];
  const { metadataAttributes: metadata = {} } = found;
  if (typeof filename !== "string" || typeof scope !== "string") return undefined;
  if (!isJsonObject(metadata)) return undefined;
  const given = {
    path: typeof path === "string" ? path : undefined,
    modified: typeof modified === "string" ? modified : undefined,
  };
  return { filename, scope, metadata, ...defined(given) };
}
