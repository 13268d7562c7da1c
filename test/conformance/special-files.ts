// Everything that a name can belong to instead of a regular file of a sensible size.
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join, relative } from "node:path";

/** Makes one at a path. Sockets are closed by the caller, with the process at the latest. */
type Make = (path: string) => void;

const linkTo =
  (target: string): Make =>
  (path) =>
    symlinkSync(target, path);

export const SPECIAL_FILES: Readonly<Record<string, Make>> = {
  "a named pipe": (path) => void execFileSync("mkfifo", [path]),
  "a link to a named pipe": (path) => {
    execFileSync("mkfifo", [`${path}.pipe`]);
    symlinkSync(`${path}.pipe`, path);
  },
  "a socket": listen,
  "a folder": (path) => mkdirSync(path),
  "a huge file": (path) => {
    writeFileSync(path, "");
    truncateSync(path, 8 * 1024 ** 3);
  },
  "a link to a file": (path) => {
    writeFileSync(`${path}.target`, "# Elsewhere\n*\n");
    symlinkSync(`${path}.target`, path);
  },
  "a link to nothing": linkTo("nowhere"),
  "a link to itself": (path) => symlinkSync(path, path),
  "a link to endless zeros": linkTo("/dev/zero"),
  "a link to a terminal": linkTo("/dev/ptmx"),
  "a link to the standard input": linkTo("/dev/stdin"),
  "a link to a process": linkTo("/proc/self/mem"),
};

/** A socket's path has at most 107 bytes, so it is named from the working directory if that is shorter. */
function listen(path: string): void {
  const near = relative(process.cwd(), path);
  createServer()
    .listen(near.length < path.length ? near : path)
    .unref();
}

/** One folder per kind: in each, `name` is special, and `note.txt` is a file that can be added. */
export function makeSpecialFolders(root: string, name: string): void {
  for (const [at, make] of Object.values(SPECIAL_FILES).entries()) {
    const folder = join(root, `kind-${at}`);
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, "note.txt"), `The note of folder ${at}.`);
    make(join(folder, name));
  }
}
