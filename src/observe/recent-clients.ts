// Recently connected programs, so that people can see that theirs did. Kept in memory; names and times only.
import { toFilename } from "../text/clean/filename.ts";

interface RecentClient {
  readonly name: string;
  readonly version: string;
  readonly transport: string;
  readonly connected_at: string;
}

interface Seen extends RecentClient {
  readonly who: string;
}

export interface RecentClients {
  note(client: Omit<Seen, "connected_at">): void;
  /** Newest first; without a name, of every caller. */
  list(who?: string): readonly RecentClient[];
}

const KEPT = 20;

export function openRecentClients(now: () => number = Date.now): RecentClients {
  const seen = new Map<string, Seen>();
  return {
    note({ who, name, version, transport }) {
      const key = JSON.stringify([who, name, transport]);
      seen.delete(key);
      const at = new Date(now()).toISOString();
      // Names come from outside, so they are cut to one short line.
      const clean = { name: toFilename(name), version: toFilename(version) };
      seen.set(key, { who, transport, connected_at: at, ...clean });
      const [oldest] = seen.keys();
      if (seen.size > KEPT && oldest !== undefined) seen.delete(oldest);
    },
    list: (who) =>
      [...seen.values()]
        .filter((client) => who === undefined || client.who === who)
        .map(({ who: _, ...client }) => client)
        .toReversed(),
  };
}
