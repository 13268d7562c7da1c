// Every setting with its flag, variable and schema. The README's table is generated from this list.

import { delimiter, join, parse } from "node:path";
import * as z from "zod";
import { FAMILIES, TOOL_CHOICES } from "../domain/family.ts";
import { folderInFile, path, sourceInFile, text } from "./source-in-file.ts";

/** What defaults may depend on. */
export interface Place {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
  readonly platform: string;
}

/** Without a flag or variable of another name it has those of its own name: `--data-dir` and `KNOWLEDGE_DATA_DIR`. */
interface Unnamed {
  readonly flag?: string;
  /** Without a flag: the setting has none. */
  readonly env?: string;
  readonly isInFileOnly?: true;
  readonly schema: z.ZodType;
  readonly help: string;
  /** A default that depends on the machine; fixed ones are in the schema. */
  readonly fallback?: (place: Place) => unknown;
  /** The default as text, for the table. */
  readonly fallbackText?: string;
  /** For lists: splits a string from the environment or a flag. */
  readonly split?: (text: string) => readonly string[];
  /** A switch: its flag takes no value. */
  readonly isSwitch?: true;
  /** Kept out of everything that is printed. */
  readonly secret?: true;
  /** Every string (and every `path` of an object) in it is a path: made absolute once, by loadConfig. */
  readonly isPath?: true;
}

export type Setting = Omit<Unnamed, "isInFileOnly">;

function toSetting(name: string, { isInFileOnly, ...given }: Unnamed): Setting {
  if (isInFileOnly || (given.env !== undefined && given.flag === undefined)) return given;
  const flag = given.flag ?? name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return { env: `KNOWLEDGE_${flag.toUpperCase().replaceAll("-", "_")}`, ...given, flag };
}

/** The driver decodes each of its parts. */
function isDecodable(address: string): boolean {
  try {
    return decodeURIComponent(address.replace(/\?.*$/s, "")) !== "";
  } catch {
    // Thrown for a percent sign that begins no escape.
    return false;
  }
}
const postgresUrl = z
  .url({ protocol: /^postgres(ql)?$/, error: "must be a postgres address" })
  .refine(isDecodable, "must be percent-encoded: write % as %25, / as %2F, @ as %40");
const url = z.url({ protocol: /^https?$/, error: "must be an http or https address" });
const byComma = (value: string) => value.split(",").map((part) => part.trim());
const byPathDelimiter = (value: string) => value.split(delimiter);
const megabytes = (most: number) => z.coerce.number().int().min(1).max(most);

const TABLE = {
  configFile: {
    isPath: true,
    flag: "config",
    schema: path.optional(),
    help: "settings file (JSON or YAML); its keys are these flags in camelCase",
    fallback: ({ env, home }) =>
      join(env["XDG_CONFIG_HOME"] || join(home, ".config"), "knowledge-server", "config.yaml"),
    fallbackText: "`~/.config/knowledge-server/config.yaml` if it exists",
  },
  dataDir: {
    isPath: true,
    schema: path,
    help: "folder that holds the knowledge base",
    fallback: dataFolder,
    fallbackText: "`~/.local/share/knowledge-server`",
  },
  kbFile: {
    isPath: true,
    schema: path.optional(),
    help: "text file that `get_kb_info` and `get_kb_content` serve",
  },
  kbDescription: {
    schema: text.optional(),
    help: "one-line description of that file",
  },
  roots: {
    isPath: true,
    flag: "root",
    env: "KNOWLEDGE_ROOTS",
    schema: z.array(path).min(1),
    split: byPathDelimiter,
    help: "folders that clients may add documents from (repeatable); `knowledge-server add` takes any file you can read, except secrets",
    // Desktop clients start servers in the root of the disk, which nobody means to open up.
    fallback: ({ cwd, home }) => (parse(cwd).root === cwd ? [home] : [...new Set([cwd, home])]),
    fallbackText: "working directory and home folder",
  },
  folders: {
    isPath: true,
    isInFileOnly: true,
    schema: z.array(folderInFile).default([]),
    help: "watched folders: their changes are applied to the knowledge base (settings file only)",
  },
  sources: {
    isInFileOnly: true,
    schema: z.array(sourceInFile).default([]),
    help: "sites, repositories and others to keep in sync: see [sources](sources.md) (settings file only)",
  },
  tools: {
    schema: z
      .array(z.enum(TOOL_CHOICES))
      .min(1)
      .default([...FAMILIES]),
    split: byComma,
    help: "tool families to enable; `NAME:read`, such as `scopes:read`, enables only a family's reading tools; `chatgpt` adds the `search` and `fetch` tools that ChatGPT expects",
  },
  topK: {
    schema: z.coerce.number().int().min(1).max(50).default(10),
    help: "default number of `knowledge-search` results",
  },
  databaseUrl: {
    schema: postgresUrl.optional(),
    help: "use PostgreSQL instead of the embedded store",
    secret: true,
  },
  databaseReadUrls: {
    flag: "database-read-url",
    env: "KNOWLEDGE_DATABASE_READ_URLS",
    schema: z.array(postgresUrl).default([]),
    split: byComma,
    help: "streaming replicas of that database, which searches and lists are read from",
    secret: true,
  },
  databaseBase: {
    schema: text.default("default"),
    help: "name of the knowledge base within the database",
  },
  originalsBucket: {
    schema: text
      .regex(
        /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[\w.-]+)*\/?$/,
        "must be s3://BUCKET or s3://BUCKET/FOLDER",
      )
      .optional(),
    help: "with PostgreSQL: bucket for the original files, such as s3://BUCKET/FOLDER; default: in the database",
  },
  allowUrls: {
    isSwitch: true,
    schema: z.union([z.boolean(), z.stringbool("must be true or false")]).default(false),
    help: "allow fetching public web pages by URL (`knowledge-add-url`)",
  },
  maxFileMb: {
    schema: megabytes(2_048).default(100),
    help: "maximum document size in MB",
  },
  refine: {
    schema: z.enum(["after", "before"]).default("after"),
    help: "when the embedding model reads a new document: after it becomes searchable, or before its task completes",
  },
  ocrLanguages: {
    schema: z
      .array(z.string().regex(/^[a-z_]{3,12}$/i, "must be Tesseract codes such as eng"))
      .min(1)
      .default(["eng", "jpn"]),
    split: byComma,
    help: "OCR languages, most likely first",
  },
  ocrDataDir: {
    isPath: true,
    schema: path.optional(),
    help: "folder with LANGUAGE.traineddata files for other OCR languages",
  },
  modelDir: {
    isPath: true,
    env: "KNOWLEDGE_MODEL_DIR",
    schema: path.optional(),
    help: "folder with another embedding model (docs/models.md)",
    fallbackText: "the shipped model",
  },
  modelHub: {
    env: "KNOWLEDGE_MODEL_HUB",
    schema: url.default("https://huggingface.co"),
    help: "where `models get` fetches from; nothing is fetched without that command",
  },
  embedUrl: {
    env: "KNOWLEDGE_EMBED_URL",
    schema: url.optional(),
    help: "OpenAI-compatible embeddings endpoint instead of the shipped model",
  },
  embedModel: {
    env: "KNOWLEDGE_EMBED_MODEL",
    schema: text.optional(),
    help: "model name at that endpoint",
  },
  embedKey: {
    env: "KNOWLEDGE_EMBED_KEY",
    schema: text.optional(),
    help: "key for that endpoint",
    secret: true,
  },
  rerankUrl: {
    env: "KNOWLEDGE_RERANK_URL",
    schema: url.optional(),
    help: "`/rerank` endpoint (Cohere, Jina, TEI, vLLM, llama.cpp) that reorders the best results",
  },
  rerankModel: {
    env: "KNOWLEDGE_RERANK_MODEL",
    schema: text.optional(),
    help: "model name at that endpoint",
  },
  rerankKey: {
    env: "KNOWLEDGE_RERANK_KEY",
    schema: text.optional(),
    help: "key for that endpoint",
    secret: true,
  },
  rerankDir: {
    isPath: true,
    env: "KNOWLEDGE_RERANK_DIR",
    schema: path.optional(),
    help: "folder with an ONNX cross-encoder that reorders the best results",
  },
  rerankTimeoutMs: {
    env: "KNOWLEDGE_RERANK_TIMEOUT_MS",
    schema: z.coerce.number().int().min(10).max(60_000).default(2_000),
    help: "time limit for reordering in milliseconds; after that, the order stays unchanged",
  },
  answer: {
    schema: z.enum(["auto", "bedrock", "local"]).default("auto"),
    help: "what `kb_answer` answers from; auto: Bedrock if configured, otherwise your documents",
  },
  answerTimeoutSeconds: {
    env: "KNOWLEDGE_ANSWER_TIMEOUT",
    schema: z.coerce.number().min(1).max(3_600).default(55),
    help: "time limit for an answer in seconds; most clients give up after 60",
  },
  llmUrl: {
    env: "KNOWLEDGE_LLM_URL",
    schema: url.optional(),
    help: "OpenAI-compatible endpoint that phrases answers from your documents",
  },
  llmModel: {
    env: "KNOWLEDGE_LLM_MODEL",
    schema: text.optional(),
    help: "model name at that endpoint",
  },
  llmKey: {
    env: "KNOWLEDGE_LLM_KEY",
    schema: text.optional(),
    help: "key for that endpoint",
    secret: true,
  },
  awsRegion: {
    env: "AWS_REGION",
    schema: text.default("ap-northeast-1"),
    help: "region of the Bedrock knowledge base and of S3 buckets",
  },
  s3Endpoint: {
    env: "AWS_ENDPOINT_URL_S3",
    schema: url.optional(),
    help: "server that speaks S3's protocol, instead of AWS",
  },
  bedrockKbId: {
    env: "BEDROCK_KB_ID",
    schema: text.optional(),
    help: "id of the Bedrock knowledge base",
  },
  bedrockModelArn: {
    env: "BEDROCK_MODEL_ARN",
    schema: text.optional(),
    help: "ARN of the Bedrock model that generates answers",
  },
  bedrockKbType: {
    env: "BEDROCK_KB_TYPE",
    schema: z.enum(["auto", "vector", "managed"]).default("auto"),
    help: "type of the Bedrock knowledge base; auto: detected by the first question",
  },
  host: {
    schema: text.default("127.0.0.1"),
    help: "address that `http` listens on",
  },
  port: {
    schema: z.coerce.number().int().min(0).max(65_535).default(3000),
    help: "port that `http` listens on; 0 picks a free one",
  },
  token: {
    schema: z.string().min(16, "must have at least 16 characters").optional(),
    help: "bearer token for `http`; required when the host is not loopback",
    secret: true,
  },
  tokenFile: {
    isPath: true,
    schema: path.optional(),
    help: "file with tokens and their rights (`read`, `write`, `admin`, or in one scope: `read:checkout-api`); reloaded when it changes",
  },
  oauthIssuer: {
    schema: url.optional(),
    help: "issuer whose OAuth access tokens are accepted",
  },
  oauthResource: {
    schema: url.optional(),
    help: "public URL of this server, the audience that tokens must name",
  },
  oauthJwksUrl: {
    schema: url.optional(),
    help: "URL of the issuer's keys",
    fallbackText: "from its metadata",
  },
  oauthGroupsClaim: {
    schema: text.optional(),
    help: "member of the issuer's tokens that lists the caller's groups; the token file's `groups` says what each may do",
  },
  auditFile: {
    isPath: true,
    schema: path.optional(),
    help: "audit log: one line per change (who, what, when)",
  },
  share: {
    schema: z.enum(["on", "off"]).default("on"),
    help: "send searches to a running `http` server of the same user and knowledge base",
  },
  hooks: {
    schema: z.enum(["on", "off"]).default("on"),
    help: "let `knowledge-server hook` tell a coding agent which documents fit a prompt and which rules apply",
  },
  auditFailure: {
    schema: z.enum(["refuse", "degrade"]).default("refuse"),
    help: "when the audit log cannot be written: refuse changes, or make them and report degraded health",
  },
  usage: {
    schema: z.enum(["on", "off"]).default("on"),
    help: "count searches and answers per day for the console's overview: numbers only, kept on this machine",
  },
  allowedHosts: {
    flag: "allowed-host",
    env: "KNOWLEDGE_ALLOWED_HOSTS",
    schema: z.array(text).default([]),
    split: byComma,
    help: "additional host names that clients may use",
  },
  allowedOrigins: {
    flag: "allowed-origin",
    env: "KNOWLEDGE_ALLOWED_ORIGINS",
    schema: z.array(url).default([]),
    split: byComma,
    help: "additional web origins that may call the server",
  },
  rateLimit: {
    schema: z.coerce.number().int().min(1).optional(),
    help: "requests per minute per client",
    fallbackText: "6000; unlimited on loopback",
  },
  maxRequestMb: {
    schema: megabytes(256).default(16),
    help: "maximum size of an HTTP body or WebSocket message in MB",
  },
  logLevel: {
    schema: z.enum(["debug", "info", "warn", "error", "silent"]).optional(),
    help: "minimum log level on stderr",
    fallbackText: "info for servers, warn for commands",
  },
  logFormat: {
    schema: z.enum(["auto", "text", "json"]).default("auto"),
    help: "format of the log on stderr; auto: readable text on a terminal, JSON elsewhere",
  },
} as const satisfies Readonly<Record<string, Unnamed>>;

export type SettingName = keyof typeof TABLE;

export const SETTINGS = Object.fromEntries(
  Object.entries<Unnamed>(TABLE).map(([name, unnamed]) => [name, toSetting(name, unnamed)]),
) as Readonly<Record<SettingName, Setting>>;

export type Config = Readonly<{
  [Name in SettingName]: z.output<(typeof TABLE)[Name]["schema"]>;
}>;

function dataFolder({ env, home, platform }: Place): string {
  const local = platform === "win32" ? env["LOCALAPPDATA"] : undefined;
  return join(env["XDG_DATA_HOME"] || local || join(home, ".local", "share"), "knowledge-server");
}
