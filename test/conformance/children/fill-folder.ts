// A separate process that creates every kind of file a data folder has, and prints their modes:
// node fill-folder.ts DATA FOLDER
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openPlainIngest } from "../../support/plain-ingest.ts";
import { openStoreAt } from "../../support/temp-store.ts";

const [dataDir = "", folder = ""] = process.argv.slice(2);
const watched = join(folder, "watched");
mkdirSync(watched);
writeFileSync(join(watched, "good.txt"), "A text that can be read.");
writeFileSync(join(folder, "bad.txt"), "corrupt bytes");

const store = openStoreAt(dataDir);
const ingest = openPlainIngest({ store, dataDir, root: folder });
const { signal } = new AbortController();
await store.documents.totals();
const folders = await ingest.watchFolders([{ path: watched }]);
await folders.settled();
const add = { metadata: {}, forceOcr: false, signal };
const bad = await ingest.enqueue({ kind: "file", path: join(folder, "bad.txt") }, add);
await ingest.finish(bad.task.id, { signal });

const names = readdirSync(dataDir, { recursive: true, encoding: "utf8" });
const modes = names.map((name) => [name, statSync(join(dataDir, name)).mode & 0o777]);
process.stdout.write(JSON.stringify(Object.fromEntries(modes)), () => process.exit(0));
