// The version of the rules, which every call asks for: the files' times show whether anything was committed since it was
// last read, so the thread, which may be busy with a search, is rarely asked.
import { statSync } from "node:fs";

/** File systems round times, some to 10 ms: a later change may have the time of an earlier one. */
const ROUNDED_MS = 50;
/** Where times are written late, another process's change is noticed after this time. */
const TRUSTED_MS = 1_000;

export function openScopesVersion(path: string, read: () => Promise<number>) {
  let last = { files: "", version: 0, readAt: 0 };
  const readAgain = async (files: string) => {
    const readAt = performance.now();
    const version = await read();
    last = { files, version, readAt };
    return version;
  };
  return (): number | Promise<number> => {
    const { files, changedMs } = stateOf(path);
    const isOld = performance.now() - last.readAt > TRUSTED_MS;
    const isSettled = Date.now() - changedMs > ROUNDED_MS;
    return files === last.files && isSettled && !isOld ? last.version : readAgain(files);
  };
}

function stateOf(path: string) {
  const [database, log] = [path, `${path}-wal`].map((each) => {
    return statSync(each, { throwIfNoEntry: false });
  });
  return {
    files: [database, log].map((file) => `${file?.ino} ${file?.size} ${file?.mtimeMs}`).join(),
    changedMs: Math.max(database?.mtimeMs ?? 0, log?.mtimeMs ?? 0),
  };
}
