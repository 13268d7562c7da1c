// The composition root: opens every room once and closes them in reverse. Rooms open on first use, so that a
// server responds to its first request before anything heavy is loaded; only a thread may start ahead.
import type { Config } from "./config/config.ts";
import { openWatch } from "./document-rooms.ts";
import { chosenOf } from "./domain/family.ts";
import type { FileChange, WatchedFolder } from "./ingest/ingest.ts";
import { type KbFile, loadKbFile } from "./kbfile/kbfile.ts";
import { type Lazy, openRooms } from "./lazy.ts";
import { type Lifetime, openLifetime, threadStuck } from "./lifetime.ts";
import { openAudit } from "./observe/audit.ts";
import type { Log } from "./observe/log.ts";
import { openTracing } from "./observe/tracing.ts";
import { type AppRooms, openAppRooms } from "./rooms.ts";
import { serveShare } from "./share.ts";
import { copyKnowledge } from "./stores.ts";
import { openAccessControl } from "./tools/access-control.ts";
import { answersFamily } from "./tools/answers/family.ts";
import { chatgptFamily } from "./tools/chatgpt/family.ts";
import { documentsFamily } from "./tools/documents/family.ts";
import { documentOperations } from "./tools/documents/operations/operations.ts";
import type { Change, Toolbox } from "./tools/family.ts";
import { fileFamily } from "./tools/file/family.ts";
import { scopesFamily } from "./tools/scopes/family.ts";
import { ruleOperations } from "./tools/scopes/operations.ts";
import { openChangeListeners, openToolbox } from "./tools/toolbox.ts";
import { openDataFolder, openUpkeep } from "./upkeep.ts";

export interface App extends Toolbox {
  /** Starts processing queued tasks in the background, including those that another process left. */
  startWork(): Promise<void>;
  /** Starts accepting searches from other processes of this user. */
  share(): Promise<void>;
  close(): Promise<void>;
}

// With the time that running calls get before it, this stays below the deadline at which the process exits anyway.
// Work that is cut off here was not acknowledged.
const CLOSE_MS = 8_000;

export async function openApp(config: Config, log: Log, command = "server"): Promise<App> {
  const lifetime = openLifetime(log, CLOSE_MS);
  const folder = await lifetime.open("data folder", () => openDataFolder(config, command));
  const changes = openChangeListeners();
  const tracing = openTracing();
  const { auditFile, auditFailure: onAuditFailure } = config;
  const access = openAccessControl({ audit: openAudit(auditFile), onAuditFailure, log });
  const onChange = () => changes.notify({ kind: "resources" });
  const lazy = openRooms(lifetime);
  const kbFile = await loadKbFile({ path: config.kbFile, description: config.kbDescription, log });
  const parts = { lazy, access, log, tracing, onChange, command };
  const rooms = openAppRooms(config, parts);
  const { documents, scopes } = rooms;
  const watch = (folders: readonly WatchedFolder[], onFile?: (change: FileChange) => void) =>
    openWatch(config, { documents, access, log, folders, onFile });
  const keepFresh = lazy("folders", () => watch(config.folders));
  const toolbox = openToolbox({
    families: familiesOf(rooms, kbFile, changes.notify),
    offered: config.tools,
    operations: {
      ...ruleOperations(scopes),
      ...documentOperations(documents, log),
      copy: copyKnowledge(config, log),
      ...openUpkeep(config, folder, log),
      watchFolders: async (folders, onFile) => {
        (await documents.ingest()).start();
        return lifetime.open("watch", () => watch(folders, onFile));
      },
    },
    access,
    tracing,
    onChange: changes.listen,
    log,
  });
  return { ...toolbox, ...runningOf(config, { rooms, keepFresh, lifetime, log }) };
}

function familiesOf(
  { documents, scopes, answers }: AppRooms,
  kbFile: KbFile,
  notify: (change: Change) => void,
) {
  return [
    fileFamily(kbFile),
    answersFamily(answers),
    documentsFamily(documents),
    scopesFamily({ scopes, notify }),
    chatgptFamily(documents),
  ];
}

interface RunningParts {
  readonly rooms: AppRooms;
  readonly keepFresh: Lazy<unknown>;
  readonly lifetime: Lifetime;
  readonly log: Log;
}

function runningOf(config: Config, { rooms, keepFresh, lifetime, log }: RunningParts) {
  const { documents, answers } = rooms;
  return {
    startWork: async () => {
      if (chosenOf("documents", config.tools) === "none") return;
      (await documents.ingest()).start();
      if (config.folders.length > 0) await keepFresh();
    },
    share: async () => {
      if (!config.tools.includes("documents")) return;
      await lifetime.open("share", () => serveShare(config, documents.search, log));
    },
    close: async () => {
      answers.close();
      if (!(await lifetime.close())) throw threadStuck();
    },
  };
}
