// What a history asks for, as calls of the program's tools.
import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { callTool } from "../fuzz/load.ts";

export type Request =
  | { readonly kind: "put" | "remove" | "read"; readonly path: string; readonly key: string }
  | { readonly kind: "clear" | "list" }
  | { readonly kind: "search"; readonly text: string }
  | { readonly kind: "put-rule"; readonly keyword: string; readonly content: string }
  | { readonly kind: "remove-rule" | "read-rule"; readonly keyword: string };

export type Answer = Readonly<Record<string, unknown>>;

/** By name. The version is the document's title, and is in its text. */
export type Documents = readonly (readonly [name: string, version: string])[];

/** The state once no task is open. */
export interface Settled {
  readonly tasks: ReadonlyMap<string, string>;
  readonly documents: Documents;
  /** Documents whose original has another version. */
  readonly broken: readonly string[];
  readonly rules: Readonly<Record<string, string>>;
}

/** A tool's refusal. */
export class Refused extends Error {
  readonly code: string;
  constructor(code: string) {
    super(`refused with ${code}`);
    this.code = code;
  }
}

const POLL_MS = 20;
const WHERE = { scope_id: "team", category: "style" } as const;
// A server that was paused may close an idle connection just as it is used again.
const agent = new Agent({ keepAlive: false });

interface Row {
  readonly id: string;
  readonly filename: string;
  readonly title?: string;
}

async function call(url: string, name: string, args: object): Promise<Answer> {
  const { payload } = await callTool(url, name, args, { agent });
  if (payload["success"] === false || "error" in payload)
    throw new Refused(String(payload["error"]));
  return payload;
}

export async function prepareRules(url: string): Promise<void> {
  await call(url, "knowledge-scope-put", { scope_id: WHERE.scope_id, tier: "GENERAL" });
}

export async function perform(
  url: string,
  request: Request,
  onQueued: (task: string) => void,
): Promise<Answer> {
  switch (request.kind) {
    case "put":
      return put(url, request.path, onQueued);
    case "remove":
      return remove(url, request.key);
    case "read":
      return { found: (await find(url, request.key))?.title };
    case "clear": {
      const sure = { confirm: true, confirmation_phrase: "DELETE ALL" };
      return { count: (await call(url, "knowledge-clear", sure))["documents_removed"] };
    }
    case "list":
      return { documents: (await list(url)).map(toPair) };
    case "search": {
      const { results } = await call(url, "knowledge-search", {
        query: request.text,
        top_k: 50,
        min_relevance: 0,
      });
      return {
        texts: (results as { readonly chunk_text: string }[]).map(({ chunk_text }) => chunk_text),
      };
    }
    case "put-rule": {
      const { keyword, content } = request;
      return call(url, "knowledge-entry-put", { ...WHERE, keyword, content });
    }
    case "remove-rule":
      return call(url, "knowledge-entry-remove", { ...WHERE, keyword: request.keyword });
    case "read-rule":
      return { content: await readRule(url, request.keyword) };
  }
}

async function put(url: string, path: string, onQueued: (task: string) => void): Promise<Answer> {
  const { task_id: task } = await call(url, "knowledge-add", { file_path: path });
  onQueued(String(task));
  for (;;) {
    const ended = await taskState(url, String(task));
    if (ended["status"] !== "queued" && ended["status"] !== "running") {
      const result = ended["result"] as { readonly already_present?: boolean } | undefined;
      const present = result?.already_present ?? false;
      return { status: ended["status"], present, failure: ended["error"] };
    }
    await sleep(POLL_MS);
  }
}

/** A failed task is not a refused call. */
async function taskState(url: string, task_id: string): Promise<Answer> {
  return (await callTool(url, "knowledge-task-status", { task_id }, { agent })).payload;
}

async function remove(url: string, key: string): Promise<Answer> {
  const found = await find(url, key);
  if (!found) return { absent: true };
  try {
    await call(url, "knowledge-remove", { document_id: found.id, confirm: true });
    return { removed: true };
  } catch (thrown) {
    // Another server was quicker: this says nothing about the path.
    if (thrown instanceof Refused && thrown.code === "document_not_found") return {};
    throw thrown;
  }
}

async function list(url: string): Promise<readonly Row[]> {
  return (await call(url, "knowledge-show", { limit: 100 }))["documents"] as readonly Row[];
}

async function find(url: string, key: string): Promise<Row | undefined> {
  return (await list(url)).find(({ filename }) => filename === key);
}

const toPair = ({ filename, title = "none" }: Row) => [filename, title] as const;

async function readRule(url: string, keyword: string): Promise<string | undefined> {
  const args = { scope_id: WHERE.scope_id, keywords: [keyword] };
  const entries = (await call(url, "get_knowledge", args)) as unknown;
  const [found] = entries as readonly { readonly content: string }[];
  return found?.content;
}

/** Waits until no task is open. */
export async function settle(
  url: string,
  { tasks, keywords }: { readonly tasks: readonly string[]; readonly keywords: readonly string[] },
): Promise<Settled> {
  for (;;) {
    const { tasks: open } = await call(url, "knowledge-status", {});
    const { queued, running } = (open ?? { queued: 0, running: 0 }) as Record<string, number>;
    if ((queued ?? 0) + (running ?? 0) === 0) break;
    await sleep(POLL_MS);
  }
  const ended = new Map<string, string>();
  for (const task of tasks) ended.set(task, String((await taskState(url, task))["status"]));
  const documents = await list(url);
  const broken: string[] = [];
  for (const { id, filename, title } of documents) {
    const response = await fetch(new URL(`/api/documents/${id}/original`, url));
    if (!(await response.text()).includes(` version ${title} `)) broken.push(filename);
  }
  const rules: Record<string, string> = {};
  for (const keyword of keywords) {
    const content = await readRule(url, keyword);
    if (content !== undefined) rules[keyword] = content;
  }
  return { tasks: ended, documents: documents.map(toPair), broken, rules };
}
