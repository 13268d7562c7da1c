// The write path on any store, with instant parts: a file's bytes are its text, letter counts are its vector.
import { join } from "node:path";
import { DEFAULT_CHUNKS } from "../../src/chunk/chunk.ts";
import { type Ingest, type IngestOptions, openIngest } from "../../src/ingest/ingest.ts";
import { openTrash } from "../../src/store/core/trash.ts";
import type { Store } from "../../src/store/store.ts";
import { openAnalyser } from "../../src/text/analyse.ts";
import { testAccess } from "./access-control.ts";
import { letterEmbed, openGate, plainExtract } from "./plain-parts.ts";
import { silentLog } from "./silent-log.ts";

/** The options that tests may change. */
type Changed = Partial<
  Pick<
    IngestOptions,
    | "extract"
    | "embed"
    | "maxQueued"
    | "web"
    | "perform"
    | "allowsChanges"
    | "refine"
    | "onStored"
    | "s3"
  >
>;

export interface PlainIngestOptions extends Changed {
  readonly store: Store;
  readonly dataDir: string;
  /** Where files may be added from. */
  readonly root: string;
}

const log = silentLog();

export function openPlainIngest({ dataDir, root, ...options }: PlainIngestOptions): Ingest {
  const { terms } = openAnalyser();
  const { perform, allowsChanges } = testAccess();
  return openIngest({
    extract: plainExtract(openGate()),
    embed: letterEmbed(),
    analyser: { fingerprint: "analyse-test", terms },
    chunks: DEFAULT_CHUNKS,
    roots: [root],
    closed: [],
    home: root,
    workingDirectory: root,
    incomingDir: join(dataDir, "incoming"),
    watchLocksDir: join(dataDir, "folders"),
    sourcesDir: join(dataDir, "sources"),
    s3: { region: "none", endpoint: "http://127.0.0.1:9" },
    trash: openTrash(join(dataDir, "trash")),
    maxFileBytes: 1024 * 1024,
    refine: "after",
    perform,
    allowsChanges,
    onStored: () => {},
    log,
    ...options,
  });
}
