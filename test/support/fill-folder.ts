// A separate process that creates every kind of file a data folder has, and prints their modes:
// node fill-folder.ts DATA FOLDER
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_CHUNKS } from "../../src/chunk/chunk.ts";
import { openIngest } from "../../src/ingest/ingest.ts";
import { openTrash } from "../../src/store/core/trash.ts";
import { testAccess } from "./access-control.ts";
import { letterEmbed, openGate, plainExtract } from "./plain-parts.ts";
import { plainTerms } from "./sample-documents.ts";
import { silentLog } from "./silent-log.ts";
import { openStoreAt } from "./temp-store.ts";

const [dataDir = "", folder = ""] = process.argv.slice(2);
const watched = join(folder, "watched");
mkdirSync(watched);
writeFileSync(join(watched, "good.txt"), "A text that can be read.");
writeFileSync(join(folder, "bad.txt"), "corrupt bytes");

const log = silentLog();
const access = testAccess();
const store = openStoreAt(dataDir);
const ingest = openIngest({
  store,
  extract: plainExtract(openGate()),
  embed: letterEmbed(),
  analyser: { fingerprint: "analyse-test", terms: plainTerms },
  chunks: DEFAULT_CHUNKS,
  roots: [folder],
  closed: [],
  home: folder,
  workingDirectory: folder,
  incomingDir: join(dataDir, "incoming"),
  ledgerDir: join(dataDir, "folders"),
  trash: openTrash(join(dataDir, "trash")),
  maxFileBytes: 1_000_000,
  concurrency: 1,
  refine: "after",
  perform: access.perform,
  allowsChanges: access.allowsChanges,
  onStored: () => {},
  log,
});
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
