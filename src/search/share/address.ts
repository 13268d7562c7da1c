// Where a server takes searches from other processes of the same user: a socket in the data folder, or, on Windows, a
// pipe whose name only those can know who may read the data folder.
import { randomBytes } from "node:crypto";
import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const SOCKET = "search.sock";
const PIPE = "search.pipe";
// The operating systems' limit is 104 to 108 bytes; a server adds its process id while it starts.
const MAX_PATH_BYTES = 90;
const PIPE_NAME = /^\\\\\.\\pipe\\knowledge-[0-9a-f]{32}$/;

export interface Host {
  readonly platform: string;
  /** Undefined on systems without user ids. */
  readonly user: number | undefined;
}

export function thisHost(): Host {
  return { platform: process.platform, user: process.geteuid?.() };
}

/** Undefined if there is no socket, or if it cannot be trusted because another user could have created it. */
export function findAddress(dataDir: string, { platform, user }: Host): string | undefined {
  try {
    if (platform === "win32") {
      const name = readFileSync(join(dataDir, PIPE), "utf8").trim();
      return PIPE_NAME.test(name) ? name : undefined;
    }
    const path = join(dataDir, SOCKET);
    const found = lstatSync(path);
    // Any other user who can write there could impersonate our server.
    const isOurs = found.isSocket() && found.uid === user && (found.mode & 0o077) === 0;
    return isOurs ? path : undefined;
  } catch {
    return undefined;
  }
}

export interface OwnAddress {
  /** The address to listen on. `publish` gives it its final name once its permissions are set. */
  readonly address: string;
  publish(): void;
  withdraw(): void;
}

/** Undefined if the folder's path is too long for a socket. */
export function makeAddress(dataDir: string, { platform }: Host): OwnAddress | undefined {
  if (platform === "win32") {
    const address = `\\\\.\\pipe\\knowledge-${randomBytes(16).toString("hex")}`;
    const file = join(dataDir, PIPE);
    return {
      address,
      publish: () => writeFileSync(file, `${address}\n`, { mode: 0o600 }),
      withdraw: () => {
        if (readFileSync(file, "utf8").trim() === address) rmSync(file, { force: true });
      },
    };
  }
  const path = join(dataDir, SOCKET);
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return undefined;
  const address = `${path}.${process.pid}`;
  const state = { inode: -1 };
  rmSync(address, { force: true });
  return {
    address,
    publish() {
      state.inode = lstatSync(address).ino;
      renameSync(address, path);
    },
    withdraw() {
      // Another server may have replaced it since.
      if (lstatSync(path).ino === state.inode) rmSync(path, { force: true });
    },
  };
}
