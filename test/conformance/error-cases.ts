// A real failure for every code of the catalogue that a client can bring about, and the reason for each that it cannot.
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { ErrorCode } from "../../src/domain/errors.ts";
import type { BedrockReply } from "../support/bedrock-stub.ts";
import { makeCompound } from "../support/files/compound.ts";
import { makeZip } from "../support/files/zip.ts";

/** A server in the state in which some calls fail. */
export interface World {
  readonly flags?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Before it is opened. */
  readonly before?: (folder: string) => Promise<void>;
  /** After it is open; `call` as its owner. */
  readonly after?: (folder: string, call: Call) => Promise<unknown>;
}

type Call = (name: string, args: Record<string, unknown>) => Promise<unknown>;

export interface ErrorCase {
  readonly world: keyof typeof WORLDS;
  readonly tool: string;
  /** `DIR` stands for the world's folder. */
  readonly args: Readonly<Record<string, unknown>>;
  /** What the payload shows instead of the code in lower case. */
  readonly shows?: Readonly<Record<string, unknown>>;
  /** What the service replies that the tool asks. */
  readonly reply?: BedrockReply;
}

const rule = (scope_id: string) => ({ scope_id, category: "git", keyword: "commit" });
const bedrock = { BEDROCK_KB_ID: "KB12345678" };

const BROKEN = "damaged, unaudited and half configured";

// As few as can be: each is a process for every client over stdio.
export const WORLDS = {
  usual: {
    flags: { "max-file-mb": "1" },
    env: { ...bedrock, BEDROCK_MODEL_ARN: "arn:aws:bedrock:m" },
    before: writeFiles,
    after: async (_folder, call) => {
      await call("knowledge-scope-put", { scope_id: "shop", tier: "PRODUCT" });
      await call("knowledge-scope-put", { scope_id: "api", tier: "PROJECT", parent: "shop" });
      await call("knowledge-entry-put", { ...rule("api"), content: "Sign it." });
    },
  },
  [BROKEN]: {
    flags: { "audit-file": "audit" },
    env: bedrock,
    before: async (folder) => {
      await mkdir(join(folder, "audit"));
      await mkdir(join(folder, "data"));
      await writeFile(join(folder, "data", "knowledge.db"), "no database ".repeat(1_000));
    },
  },
  newer: {
    // A server does not start on such a folder: another program has migrated it meanwhile.
    after: async (folder, call) => {
      await call("knowledge-show", {});
      const database = new DatabaseSync(join(folder, "data", "knowledge.db"), { timeout: 60_000 });
      database.exec("PRAGMA user_version = 999");
      database.close();
    },
  },
  moved: {
    after: async (folder, call) => {
      await call("knowledge-add-text", { filename: "x.md", text: "A note.", async: false });
      await rename(join(folder, "data"), join(folder, "elsewhere"));
    },
  },
} satisfies Record<string, World>;

async function writeFiles(folder: string): Promise<void> {
  const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`${at}`, ""]));
  const files = {
    "large.md": "x".repeat(1_100_000),
    "locked.docx": makeCompound({ EncryptedPackage: Buffer.alloc(600) }),
    "torn.zip": "no archive at all",
    "empty.md": "",
    "many.zip": makeZip(many),
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
}

const usual = (tool: string, args: ErrorCase["args"]): ErrorCase => ({
  world: "usual",
  tool,
  args,
});
const adding = (name: string) => usual("knowledge-add", { file_path: `DIR/${name}`, async: false });
const answering = (error_type: string, status: number, name: string): ErrorCase => ({
  world: "usual",
  tool: "kb_answer",
  args: { query: "x" },
  shows: { error: true, error_type },
  reply: { kind: "error", status, name, message: "said the service" },
});

export const ERROR_CASES: Partial<Record<ErrorCode, ErrorCase>> = {
  CONFIG_INVALID: {
    world: BROKEN,
    tool: "kb_answer",
    args: { query: "x" },
    shows: { error: true, error_type: "ValidationError" },
  },
  MISSING_REQUIRED_PARAMETER: usual("knowledge-search", {}),
  INVALID_PARAMETER: usual("knowledge-search", { query: "x", top_k: 0 }),
  CONFIRMATION_REQUIRED: usual("knowledge-scope-remove", { scope_id: "api" }),
  UNSUPPORTED_FORMAT: adding("program.exe"),
  FILE_TOO_LARGE: adding("large.md"),
  ENCRYPTED_FILE: adding("locked.docx"),
  CORRUPT_FILE: adding("torn.zip"),
  EMPTY_DOCUMENT: adding("empty.md"),
  EXTRACTION_LIMIT: adding("many.zip"),
  ACCESS_DENIED: adding("../../../../../../etc/hosts.md"),
  FILE_NOT_FOUND: adding("none.md"),
  DOCUMENT_NOT_FOUND: usual("knowledge-read", { document_id: "none" }),
  TASK_NOT_FOUND: usual("knowledge-task-status", {
    task_id: "00000000-0000-4000-8000-000000000000",
  }),
  SCOPE_NOT_FOUND: usual("get_categories", { project_name: "shap" }),
  ENTRY_NOT_FOUND: usual("knowledge-entry-remove", rule("shop")),
  SCOPE_HAS_CHILDREN: usual("knowledge-scope-remove", { scope_id: "shop", confirm: true }),
  SCOPE_CONFLICT: usual("knowledge-scope-put", { scope_id: "x", tier: "GENERAL", parent: "api" }),
  EMPTY_KNOWLEDGE_BASE: usual("knowledge-search", { query: "x" }),
  STORE_UNAVAILABLE: {
    world: "moved",
    tool: "knowledge-scope-put",
    args: { scope_id: "x", tier: "GENERAL" },
  },
  STORE_CORRUPT: { world: BROKEN, tool: "knowledge-show", args: {} },
  // What is open goes on reading; every write looks at the version.
  STORE_TOO_NEW: {
    world: "newer",
    tool: "knowledge-scope-put",
    args: { scope_id: "shop", tier: "PRODUCT" },
  },
  AUDIT_UNAVAILABLE: {
    world: BROKEN,
    tool: "knowledge-scope-put",
    args: { scope_id: "x", tier: "GENERAL" },
  },
  ANSWER_AUTHENTICATION: answering("AuthenticationError", 403, "AccessDeniedException"),
  ANSWER_NOT_FOUND: answering("NotFoundError", 404, "ResourceNotFoundException"),
  ANSWER_SERVICE: answering("ServiceError", 400, "ValidationException"),
};

/** The test that brings it about in another way. Official clients meet its payload in official-clients.test.ts. */
export const NOT_BY_A_CALL: Partial<Record<ErrorCode, { why: string; test: string }>> = {
  CONFIRMATION_DECLINED: {
    why: "a person declines at a client that can ask",
    test: "test/e2e/real-errors.test.ts",
  },
  EXTRACTION_TIMEOUT: {
    why: "takes a minute of reading",
    test: "src/extract/sandbox/pool.process.test.ts",
  },
  OCR_FAILED: { why: "needs missing language data", test: "test/e2e/real-errors.test.ts" },
  FILE_UNAVAILABLE: {
    why: "a folder must change between two system calls",
    test: "src/ingest/intake/path-gate.test.ts",
  },
  RESOURCE_NOT_FOUND: {
    why: "of resources, not of tools",
    test: "test/e2e/real-errors.test.ts",
  },
  INTERRUPTED: {
    why: "the process must die five times",
    test: "test/conformance/ingest.test.ts",
  },
  MODEL_UNAVAILABLE: {
    why: "tools do without the model and say so",
    test: "test/conformance/embed-endpoint.test.ts",
  },
  SCOPE_HAS_DOCUMENTS: {
    why: "a document must belong to the scope",
    test: "test/conformance/store/documents-in-scopes.ts",
  },
  STORE_FULL: { why: "needs a disk without room", test: "test/e2e/real-errors.test.ts" },
  STORE_REFUSED: {
    why: "PostgreSQL must refuse a value",
    test: "src/store/postgres/failures.test.ts",
  },
  STORE_NOT_EMPTY: { why: "of `restore` and `copy`", test: "test/e2e/maintenance.test.ts" },
  STORE_IN_USE: { why: "of maintenance commands", test: "test/e2e/maintenance.test.ts" },
  SYSTEM_UNAVAILABLE: {
    why: "the operating system must refuse",
    test: "src/domain/system-error.test.ts",
  },
  OVERLOADED: {
    why: "takes more calls or documents than the server has room for",
    test: "test/e2e/real-errors.test.ts",
  },
  CANCELLED: { why: "takes a second call", test: "test/e2e/real-errors.test.ts" },
  INTERNAL: { why: "of faults nobody knows of", test: "src/tools/run-tool.test.ts" },
};
