// Every command by name; loaded only when it is asked for (or listed).
import type { Command } from "./command.ts";

type Load = () => Promise<Command>;

export const COMMANDS: Readonly<Record<string, Load>> = {
  stdio: async () => (await import("./stdio.ts")).stdio,
  http: async () => (await import("./http.ts")).http,
  doctor: async () => (await import("./doctor.ts")).doctor,
  version: async () => (await import("./version.ts")).version,
  help: async () => (await import("./help.ts")).help,
};
