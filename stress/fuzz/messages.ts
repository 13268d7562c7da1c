// JSON-RPC messages that no well-behaved client sends. Strings, not values: some are not JSON at all.
import type { Random } from "./random.ts";

export interface FuzzMessage {
  readonly text: string;
  /** The id that the response must have, if JSON-RPC's rules make the message a request. */
  readonly expects?: string | number;
}

const METHODS = [
  "ping",
  "tools/list",
  "tools/call",
  "resources/list",
  "resources/read",
  "resources/templates/list",
  "prompts/list",
  "prompts/get",
  "completion/complete",
  "tools/cancel",
  "logging/setLevel",
  "server/discover",
  "initialize",
  "no/such/method",
  "__proto__",
  "constructor",
] as const;

const TOOLS = [
  "get_kb_info",
  "get_kb_content",
  "knowledge-search",
  "knowledge-show",
  "knowledge-status",
  "knowledge-task-status",
  "knowledge-remove",
  "knowledge-clear",
  "knowledge-add",
  "get_categories",
  "get_keywords",
  "get_knowledge",
  "knowledge-scope-put",
  "knowledge-entry-put",
  "knowledge-entry-remove",
  "knowledge-scope-remove",
  "knowledge-task-cancel",
  "kb_answer",
  "no-such-tool",
  "__proto__",
] as const;

const ARGUMENTS = [
  "query",
  "top_k",
  "file_path",
  "document_id",
  "task_id",
  "confirm",
  "project_name",
  "scope_id",
  "categories",
  "keywords",
  "limit",
  "offset",
  "length",
  "filters",
  "__proto__",
  "constructor",
  "toString",
] as const;

const SCALARS = [
  "null",
  "true",
  "0",
  "-1",
  "1e308",
  "1e999",
  "9007199254740993",
  "0.1",
  '""',
  '"x"',
  '"\\u0000"',
  '"\\ud800"',
  '"../../../etc/passwd"',
  '"/proc/self/environ"',
  '"日本語"',
  '"\\u202e\\u200b"',
  '"%00%2e%2e"',
  '"\' OR 1=1 --"',
] as const;

export function wildValue(random: Random, depth = 0): string {
  const kind = random.below(depth > 3 ? 4 : 10);
  if (kind < 6) return random.pick(SCALARS);
  if (kind === 6) return JSON.stringify("a".repeat(random.below(2_000)));
  if (kind === 7) return `[${list(random, depth)}]`;
  return `{${Array.from({ length: random.below(4) }, () => `"${random.pick(ARGUMENTS)}":${wildValue(random, depth + 1)}`).join(",")}}`;
}

function list(random: Random, depth: number): string {
  return Array.from({ length: random.below(4) }, () => wildValue(random, depth + 1)).join(",");
}

function params(random: Random, method: string): string {
  if (random.chance(0.15)) return wildValue(random);
  if (method === "tools/call") {
    return `{"name":"${random.pick(TOOLS)}","arguments":${wildObject(random)}}`;
  }
  return wildObject(random);
}

function wildObject(random: Random): string {
  const fields = Array.from(
    { length: random.below(4) },
    () => `"${random.pick(ARGUMENTS)}":${wildValue(random)}`,
  );
  return `{${fields.join(",")}}`;
}

/** `serial` makes ids unique within a run, so that every response can be matched. */
export function fuzzMessage(random: Random, serial: number): FuzzMessage {
  const id = random.chance(0.5) ? serial : `s${serial}`;
  const roll = random.next();
  if (roll < 0.62) return request(random, id);
  if (roll < 0.7) return cancel(random, serial);
  if (roll < 0.78) return { text: brokenJson(random, request(random, id).text) };
  if (roll < 0.82) return { text: wildValue(random) };
  if (roll < 0.86) return { text: `[${request(random, id).text}]` };
  if (roll < 0.9) return { text: strangeId(random) };
  if (roll < 0.95)
    return { text: `{"jsonrpc":"2.0","id":${serial},"result":${wildValue(random)}}` };
  if (roll < 0.998)
    return {
      text: `{"jsonrpc":"2.0","method":"${random.pick(METHODS)}","params":${wildObject(random)}}`,
    };
  return huge(random, id);
}

function request(random: Random, id: string | number): FuzzMessage {
  const method = random.pick(METHODS);
  const shown = JSON.stringify(id);
  const given = random.chance(0.1) ? withMeta(random) : params(random, method);
  const more = random.chance(0.05) ? `,"${random.pick(ARGUMENTS)}":${wildValue(random)}` : "";
  const text = `{"jsonrpc":"2.0","id":${shown},"method":"${method}","params":${given}${more}}`;
  return { text, expects: id };
}

const META = [
  "progressToken",
  "io.modelcontextprotocol/protocolVersion",
  "io.modelcontextprotocol/clientInfo",
  "io.modelcontextprotocol/clientCapabilities",
  "io.modelcontextprotocol/related-task",
  "__proto__",
] as const;

/** A request's envelope with arbitrary content; some name a protocol revision. */
function withMeta(random: Random): string {
  const fields = Array.from({ length: random.below(4) }, () => {
    const name = random.pick(META);
    const version = name.endsWith("Version") && random.chance(0.5);
    return `"${name}":${version ? '"2026-07-28"' : wildValue(random)}`;
  });
  const meta = random.chance(0.8) ? `{${fields.join(",")}}` : wildValue(random);
  return `{"name":"${random.pick(TOOLS)}","arguments":${wildObject(random)},"_meta":${meta}}`;
}

function cancel(random: Random, serial: number): FuzzMessage {
  const target = Math.max(0, serial - random.below(20));
  return random.chance(0.5)
    ? {
        text: `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${target}}}`,
      }
    : {
        text: `{"jsonrpc":"2.0","method":"tools/cancel","params":{"taskId":${wildValue(random)}}}`,
      };
}

function brokenJson(random: Random, text: string): string {
  const at = random.below(text.length);
  const noise = random.pick(["", "{", "]", '"', "\\", "\u0000", "\ufeff", ",,", "NaN"]);
  return random.chance(0.5) ? text.slice(0, at) : text.slice(0, at) + noise + text.slice(at + 1);
}

function strangeId(random: Random): string {
  const id = random.pick(["null", "{}", "[]", "1.5", "true", "-0", "1e400", '""']);
  return `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;
}

function huge(random: Random, id: string | number): FuzzMessage {
  const shown = JSON.stringify(id);
  const body = random.pick([
    () => `"${"x".repeat(1_000_000)}"`,
    () => `${"[".repeat(20_000)}${"]".repeat(20_000)}`,
    () => `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`,
    () => `{${Array.from({ length: 50_000 }, (_, at) => `"k${at}":1`).join(",")}}`,
    () => `[${"1,".repeat(200_000)}1]`,
  ])();
  return {
    text: `{"jsonrpc":"2.0","id":${shown},"method":"tools/call","params":{"name":"knowledge-search","arguments":{"query":${body}}}}`,
    expects: id,
  };
}
