// Locks a data folder, shared or exclusively, and records the process's name for those who are refused.
import { refuseNewer } from "../migrate.ts";
import { enterHolder } from "./holders.ts";
import { type FolderLock, shareFolder, takeFolder } from "./lock.ts";

export function lockShared(dataDir: string, command: string): FolderLock {
  refuseNewer(dataDir);
  return named(shareFolder(dataDir), dataDir, { command, alone: false });
}

export function lockExclusive(dataDir: string, command: string): FolderLock {
  return named(takeFolder(dataDir), dataDir, { command, alone: true });
}

function named(
  lock: FolderLock,
  dataDir: string,
  who: { readonly command: string; readonly alone: boolean },
): FolderLock {
  const leave = enterHolder(dataDir, who);
  return {
    release() {
      leave();
      lock.release();
    },
  };
}
