// The whole program in this process, on a temporary folder.
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type App, openApp } from "../../src/app.ts";
import { type Flags, loadConfig } from "../../src/config/config.ts";
import { type Mcp, openMcp } from "../../src/mcp/mcp.ts";
import type { Log } from "../../src/observe/log.ts";
import { openMetrics } from "../../src/observe/metrics.ts";
import { silentLog } from "./silent-log.ts";
import { tempFolder } from "./temp-folder.ts";

export interface TestAppOptions {
  readonly kbText?: string | Uint8Array;
  readonly flags?: Flags;
  readonly env?: Readonly<Record<string, string>>;
  /** Once the folder exists. */
  readonly before?: (folder: string) => Promise<void>;
  readonly log?: Log;
}

export interface TestApp {
  readonly app: App;
  readonly mcp: Mcp;
  readonly folder: string;
  close(): Promise<void>;
}

export async function openTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const folder = tempFolder("test");
  const kbFile = join(folder, "kb.txt");
  await options.before?.(folder);
  if (options.kbText !== undefined) await writeFile(kbFile, options.kbText);
  const flags: Flags = {
    "data-dir": join(folder, "data"),
    ...(options.kbText === undefined ? {} : { "kb-file": kbFile }),
    ...options.flags,
  };
  const place = { env: options.env ?? {}, cwd: folder, home: folder, platform: process.platform };
  const log = options.log ?? silentLog();
  const app = await openApp(await loadConfig(flags, place), log);
  return {
    app,
    folder,
    mcp: openMcp(app, { version: "0.0.0-test", log, metrics: openMetrics() }),
    async close() {
      await app.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
