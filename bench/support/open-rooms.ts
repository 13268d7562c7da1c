// The store and the model of the program, from source, over a data folder.
import { join } from "node:path";
import { openEmbed } from "../../src/embed/embed.ts";
import { openLog } from "../../src/observe/log.ts";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const SOURCE = new URL("../../src/", import.meta.url);

interface RoomOptions {
  readonly workers: number;
  readonly withLight?: boolean;
}

export function openRooms(dataDir: string, { workers, withLight = false }: RoomOptions) {
  const log = openLog({ level: "error" });
  const store = openSqlite({
    dataDir,
    workerUrl: new URL("store/sqlite/thread/worker.ts", SOURCE),
    log,
  });
  const embed = openEmbed({
    kind: "local",
    modelDir: join(ROOT, "models", "all-MiniLM-L6-v2"),
    ...(withLight ? { lightDir: join(ROOT, "models", "light") } : {}),
    workerUrl: new URL("embed/onnx/worker.ts", SOURCE),
    workers,
    idleMs: 60_000,
    log,
  });
  return {
    log,
    store,
    embed,
    async close() {
      await embed.close();
      await store.close();
    },
  };
}
