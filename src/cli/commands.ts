// Every command by name; loaded only when it is asked for (or listed).
import type { Command } from "./command.ts";

type Load = () => Promise<Command>;

export const COMMANDS: Readonly<Record<string, Load>> = {
  stdio: async () => (await import("./stdio.ts")).stdio,
  http: async () => (await import("./http.ts")).http,
  add: async () => (await import("./add.ts")).add,
  search: async () => (await import("./search.ts")).search,
  answer: async () => (await import("./answer.ts")).answer,
  show: async () => (await import("./show.ts")).show,
  remove: async () => (await import("./remove.ts")).remove,
  clear: async () => (await import("./clear.ts")).clear,
  status: async () => (await import("./status.ts")).status,
  tasks: async () => (await import("./tasks.ts")).tasks,
  extract: async () => (await import("./extract.ts")).extract,
  worker: async () => (await import("./worker.ts")).worker,
  copy: async () => (await import("./copy.ts")).copy,
  backup: async () => (await import("./backup.ts")).backup,
  restore: async () => (await import("./backup.ts")).restore,
  repair: async () => (await import("./repair.ts")).repair,
  scopes: async () => (await import("./scopes.ts")).scopes,
  doctor: async () => (await import("./doctor.ts")).doctor,
  version: async () => (await import("./version.ts")).version,
  help: async () => (await import("./help.ts")).help,
};
