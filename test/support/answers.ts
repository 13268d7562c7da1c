// Shared by tests of answers: a configuration slice, the shipped reader, a search that must not be called, a tool call.
import { join } from "node:path";
import type { AnswerConfig, Answerer, AnswerParts } from "../../src/answer/answer.ts";
import type { ReadingParts } from "../../src/answer/answer-from-passages.ts";
import { openReader, type Reader } from "../../src/answer/reader/reader.ts";
import { openLight } from "../../src/embed/light/light.ts";
import { openLog } from "../../src/observe/log.ts";
import { type AnswerRooms, kbAnswer } from "../../src/tools/answers/kb-answer.ts";
import { runTool } from "../../src/tools/run-tool.ts";
import type { CallContext, ToolOutput } from "../../src/tools/tool.ts";
import { callContext } from "./call-context.ts";
import { testSights } from "./sights.ts";
import { silentLog } from "./silent-log.ts";

export const quietLog = silentLog();

/** Everything that is logged, as lines. */
export function recordingLog() {
  const lines: string[] = [];
  return { lines, log: openLog({ level: "debug", write: (line) => lines.push(line) }) };
}

export function answerConfig(overrides: Partial<AnswerConfig> = {}): AnswerConfig {
  return {
    answer: "auto",
    answerTimeoutSeconds: 20,
    awsRegion: "ap-northeast-1",
    ...overrides,
  };
}

const MODELS = join(import.meta.dirname, "../../models");
let shipped: Promise<Reader> | undefined;

/** The reader that ships, opened once. */
function shippedReader(): Promise<Reader> {
  shipped ??= openLight(join(MODELS, "light")).then((light) =>
    openReader(join(MODELS, "reader"), light),
  );
  return shipped;
}

/** The passages and the reader that ships; no documents. */
export async function withReader(): Promise<ReadingParts> {
  return { ...noReading, reader: await shippedReader() };
}

/** Nothing but the passages. */
export const noReading: ReadingParts = {
  documents: {
    get: async () => undefined,
    extracted: async () => undefined,
    chunksOf: async () => [],
  },
};

export function noSearch(): AnswerParts {
  return {
    log: quietLog,
    search: () => Promise.reject(new Error("search must not be asked")),
    reading: async () => noReading,
  };
}

/** What the tool has besides the source of its answers. */
export function noDocuments(queued = 0): AnswerRooms {
  const opened = {
    seenBy: () => opened,
    documents: { withHidden: async () => [] },
    tasks: { counts: async () => ({ queued, running: 0 }) },
  };
  const store = async () => opened;
  return { sights: testSights(), store, shown: { note: () => {}, start: () => async () => {} } };
}

export function call(
  answerer: Answerer,
  args: unknown,
  context: Partial<CallContext> = {},
): Promise<ToolOutput> {
  return runTool(kbAnswer(answerer, noDocuments()), args, callContext(context));
}

type Variables = Readonly<Record<string, string>>;

/** Credentials for the SDK's own chain. */
export function awsEnvironment(variables: Variables): Variables {
  return {
    AWS_ACCESS_KEY_ID: "AKIATEST",
    AWS_SECRET_ACCESS_KEY: "secret-for-tests",
    AWS_SESSION_TOKEN: "session-for-tests",
    AWS_EC2_METADATA_DISABLED: "true",
    AWS_CONFIG_FILE: "/nonexistent",
    AWS_SHARED_CREDENTIALS_FILE: "/nonexistent",
    ...variables,
  };
}

/** The same for this process; all other AWS settings of the machine are hidden. */
export function useAwsEnvironment(variables: Variables): () => void {
  const before = { ...process.env };
  for (const name of Object.keys(process.env)) {
    if (name.startsWith("AWS_")) delete process.env[name];
  }
  Object.assign(process.env, awsEnvironment(variables));
  return () => {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  };
}
