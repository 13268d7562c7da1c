// Who changed what, and when: a line for every call that writes, never with contents.
import { appendFile } from "node:fs/promises";
import type { Log } from "./log.ts";

export interface AuditEntry {
  readonly who: string;
  readonly did: string;
  /** Ids and names, no contents. */
  readonly to: Readonly<Record<string, string>>;
  readonly outcome: "done" | "refused";
}

export interface Audit {
  /** Written before the answer is given. */
  record(entry: AuditEntry): Promise<void>;
}

export function openAudit({
  path,
  log,
}: {
  readonly path?: string | undefined;
  readonly log: Log;
}): Audit {
  return {
    async record(entry) {
      log.info("audit.write", { ...entry });
      if (path === undefined) return;
      const line = JSON.stringify({ time: new Date().toISOString(), ...entry });
      await appendFile(path, `${line}\n`, { mode: 0o600, flush: true }).catch((error: unknown) => {
        log.error("audit.failed", { error });
      });
    },
  };
}
