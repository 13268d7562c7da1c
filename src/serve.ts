// Opens a transport for the app and keeps it until the signal or the peer ends it.
import type { App } from "./app.ts";
import type { Config } from "./config/config.ts";
import { KnowledgeError } from "./domain/errors.ts";
import type { Log } from "./observe/log.ts";

export interface ServeParts {
  readonly app: App;
  readonly config: Config;
  readonly log: Log;
  readonly signal: AbortSignal;
}

export async function serve(transport: "stdio" | "http", _parts: ServeParts): Promise<number> {
  throw new KnowledgeError("INTERNAL", `${transport} is not laid yet.`);
}
