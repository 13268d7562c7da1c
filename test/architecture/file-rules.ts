// Files that a caller can influence are opened in one place. Finds other ways to open or look at one.
import { type Sources, withoutComments } from "./rooms.ts";

const ROOMS = /^(?:ingest|scopes|console)\/(?!pages\/)/;

/** What may be imported from node:fs: names that neither open a file nor look at what it is. */
const HARMLESS = new Set([
  ...["mkdir", "mkdtemp", "readdir", "realpath", "rename", "rm", "watch", "writeFile"],
  ...["Dirent", "FileHandle", "FSWatcher", "Stats"],
]);

/** The server's own files, whose names and contents no caller chooses. */
const OWN_FILES: Readonly<Record<string, readonly string[]>> = {
  // The built pages, in the program's folder.
  "console/assets.ts": ["readFile"],
  // Copies of what is added, under random names in the data folder.
  "ingest/intake/keep-copy.ts": ["open"],
  "ingest/queue/tidy.ts": ["stat"],
  // Compares an open file with the server's own.
  "ingest/intake/own-files.ts": ["stat"],
  // How much of the data folder's disk is free.
  "ingest/sources/git.ts": ["statfs"],
  // The kernel's name for this process's space.
  "ingest/queue/worker-name.ts": ["readlinkSync"],
};

const IMPORT = /\b(?:import|export)\s+(type\s+)?([^"';]*?)\s*from\s*"(?:node:)?fs(?:\/promises)?"/g;
const ANY_USE = /"(?:node:)?fs(?:\/promises)?"/g;

export function findFileAccess(sources: Sources, own = OWN_FILES): readonly string[] {
  const found = [...sources].flatMap(([path, text]) =>
    ROOMS.test(path) ? checkFile(path, withoutComments(text), own[path] ?? []) : [],
  );
  const gone = Object.keys(own).filter((path) => !sources.has(path));
  return [...found, ...gone.map((path) => `${path}: is in the list but does not exist`)];
}

function checkFile(path: string, code: string, own: readonly string[]): readonly string[] {
  const imports = [...code.matchAll(IMPORT)];
  // Loaded by import() or require(), or as a whole.
  const isHidden = [...code.matchAll(ANY_USE)].length > imports.length;
  const names = imports.flatMap(([, , what = ""]) => namesIn(what));
  const others = names.filter((name) => !HARMLESS.has(name) && !own.includes(name));
  const unused = own.filter((name) => !names.includes(name));
  return [
    ...others.map((name) => `${path}: opens files beside files/regular-file.ts (${name})`),
    ...unused.map((name) => `${path}: ${name} is in the list but not used`),
    ...(isHidden ? [`${path}: loads node:fs where it cannot be checked`] : []),
  ];
}

/** `{ type A, b as c }` is A and b; a default or `*` import is everything, which is never harmless. */
function namesIn(what: string): readonly string[] {
  const braces = /^\{([\s\S]*)\}$/.exec(what.trim())?.[1];
  if (braces === undefined) return [what.trim()];
  return braces
    .split(",")
    .map((name) =>
      name
        .trim()
        .replace(/^type\s+/, "")
        .replace(/\s+as\s.*$/, ""),
    )
    .filter((name) => name !== "");
}
