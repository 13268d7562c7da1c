// `~` in a path that a person wrote: shells expand it, but not in files, in variables or after `--flag=`.
import { resolve } from "node:path";

const HOME = /^~(?=$|[/\\])/;
const OTHER_HOME = /^~[^/\\]/;

export function expandHome(path: string, home: string): string {
  return HOME.test(path) ? `${home}${path.slice(1)}` : path;
}

/** A shell reads `~name` as another user's home folder; everything else reads it as a plain name. */
export function namesOtherHome(path: string): boolean {
  return OTHER_HOME.test(path);
}

export interface PathBase {
  readonly home: string;
  /** What a relative path is relative to. */
  readonly folder: string;
}

export function toAbsolutePath(path: string, { home, folder }: PathBase): string {
  return resolve(folder, expandHome(path, home));
}
