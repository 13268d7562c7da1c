// Every command by name; loaded only when it is run or listed.
import { unknownWord } from "./arguments.ts";
import type { Command, CommandList } from "./command.ts";
import { refusal, said } from "./texts.ts";

export const COMMANDS: CommandList = {
  stdio: async () => (await import("./serve.ts")).stdio,
  http: async () => (await import("./serve.ts")).http,
  add: async () => (await import("./documents/add.ts")).add,
  search: async () => (await import("./documents/search.ts")).search,
  answer: async () => (await import("./documents/answer.ts")).answer,
  show: async () => (await import("./documents/show.ts")).show,
  move: async () => (await import("./documents/move.ts")).move,
  remove: async () => (await import("./documents/remove.ts")).remove,
  clear: async () => (await import("./documents/remove.ts")).clear,
  status: async () => (await import("./upkeep/status.ts")).status,
  tasks: async () => (await import("./documents/tasks.ts")).tasks,
  extract: async () => (await import("./documents/extract.ts")).extract,
  worker: async () => (await import("./serve.ts")).worker,
  copy: async () => (await import("./upkeep/copy.ts")).copy,
  backup: async () => (await import("./upkeep/backup.ts")).backup,
  restore: async () => (await import("./upkeep/backup.ts")).restore,
  repair: async () => (await import("./upkeep/repair.ts")).repair,
  export: async () => (await import("./upkeep/export-import.ts")).exportAll,
  import: async () => (await import("./upkeep/export-import.ts")).importAll,
  sources: async () => (await import("./documents/sources.ts")).sources,
  stale: async () => (await import("./documents/stale.ts")).stale,
  check: async () => (await import("./documents/check.ts")).check,
  scopes: async () => (await import("./scopes/scopes.ts")).scopes,
  tokens: async () => (await import("./access/tokens.ts")).tokens,
  hook: async () => (await import("./hook.ts")).hook,
  models: async () => (await import("./upkeep/models.ts")).models,
  doctor: async () => (await import("./upkeep/doctor.ts")).doctor,
  completion: async () => (await import("./completion.ts")).completion,
  version: async () => (await import("./help.ts")).version,
  help: async () => (await import("./help.ts")).help,
};

/** Those that serve others until they are stopped. */
export const SERVERS: ReadonlySet<string> = new Set(["stdio", "http", "worker"]);

/** Those that succeed however they end: a client takes a failure of its hook as a reason to refuse the user's prompt. */
export const NEVER_FAIL: ReadonlySet<string> = new Set(["hook"]);

/** What people try first, and what they mean. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ["read", "show ID --text"],
  ["watch", "add FOLDER --watch"],
  ["list", "show"],
  ["ask", "answer QUESTION"],
  ["delete", "remove ID"],
  ["serve", "http"],
]);

export async function loadCommand(name: string): Promise<Command> {
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load) return load();
  const other = OTHER_NAMES.get(name);
  if (other === undefined) throw unknownWord(said("command"), name, Object.keys(COMMANDS));
  throw refusal(
    "INVALID_PARAMETER",
    "There is no command '{0}'. Use: knowledge-server {1}",
    name,
    other,
  );
}
