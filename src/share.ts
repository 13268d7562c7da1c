// Lets ten clients on one machine share one model: searches go to a running `http` server of the same knowledge base.
import { realpathSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import packageJson from "../package.json" with { type: "json" };
import type { Config } from "./config/config.ts";
import type { Lazy } from "./lazy.ts";
import type { Log } from "./observe/log.ts";
import type { Search } from "./search/search.ts";
import type { Identity } from "./search/share/messages.ts";
import type { SharedService } from "./search/share/serve-searches.ts";

/** What finds and ranks; keys say nothing about results. */
const DEPENDS_ON = /^(?:database|embed|model|rerank)/;

function identityOf(config: Config): Identity {
  const settings = Object.entries(config).filter(
    ([name]) => DEPENDS_ON.test(name) && !name.endsWith("Key"),
  );
  return {
    version: packageJson.version,
    dataDir: realFolder(config.dataDir),
    settings: Object.fromEntries(settings),
  };
}

/** Links lead several ways to one folder. */
function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

export function shareSearch(config: Config, local: Lazy<Search>, log: Log): () => Promise<Search> {
  if (config.share === "off") return local;
  return async () => {
    const { openSharedSearch } = await import("./search/share/shared-search.ts");
    return openSharedSearch({ identity: identityOf(config), local, log });
  };
}

export async function serveShare(
  config: Config,
  search: Lazy<Search>,
  log: Log,
): Promise<SharedService> {
  if (config.share === "off") return { close: async () => {} };
  // With PostgreSQL nothing may have created it yet. If that fails, the socket's own failure is logged.
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 }).catch(() => undefined);
  const { serveSearches } = await import("./search/share/serve-searches.ts");
  return serveSearches({ identity: identityOf(config), search, log });
}
