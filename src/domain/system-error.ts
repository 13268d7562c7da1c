// What the operating system's errors mean to a caller: one table for all reading and writing.
import type { ErrorCode } from "./errors.ts";
import { type Message, toMessage } from "./phrases/messages.ts";

/** `file`: what a caller asked to be read. `store`: the data folder. `system`: anything else. */
export type SystemPlace = "file" | "store" | "system";

interface Meaning {
  readonly code: ErrorCode;
  readonly message: string | Message;
}

type Meanings = Readonly<Record<string, Meaning>>;

const FULL: Meaning = {
  code: "STORE_FULL",
  message:
    "The disk that holds the data folder is full; nothing was changed. Free some space and try again.",
};
const BUSY: Meaning = {
  code: "OVERLOADED",
  message:
    "The server has run out of memory, threads or open files. Try again shortly; if it happens again, raise its limits (ulimit -n).",
};
const EVERYWHERE: Meanings = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  EFBIG: FULL,
  EMFILE: BUSY,
  ENFILE: BUSY,
  ENOMEM: BUSY,
  EAGAIN: BUSY,
  EWOULDBLOCK: BUSY,
  ENOBUFS: BUSY,
  ENOLCK: BUSY,
};

const refusing = (code: ErrorCode, reason: Parameters<typeof toMessage>[0]): Meaning => ({
  code,
  message: toMessage(reason),
});
const NO_FILE = refusing("FILE_NOT_FOUND", "noSuchFile");
const DENIED = refusing("ACCESS_DENIED", "fileDenied");
const NO_REGULAR_FILE = refusing("ACCESS_DENIED", "notRegular");
const INVALID = refusing("INVALID_PARAMETER", "pathInvalid");
const TOO_LARGE = refusing("FILE_TOO_LARGE", "fileTooLargeToRead");
const FILE: Meanings = {
  ENOENT: NO_FILE,
  ENOTDIR: NO_FILE,
  EACCES: DENIED,
  EPERM: DENIED,
  // A link where the checked path has none: it was put there after the check.
  ELOOP: DENIED,
  ENXIO: NO_REGULAR_FILE,
  ENOTSUP: NO_REGULAR_FILE,
  EOPNOTSUPP: NO_REGULAR_FILE,
  ESPIPE: NO_REGULAR_FILE,
  EISDIR: refusing("INVALID_PARAMETER", "pathIsFolder"),
  ENAMETOOLONG: refusing("INVALID_PARAMETER", "pathTooLong"),
  EINVAL: INVALID,
  EILSEQ: INVALID,
  EFBIG: TOO_LARGE,
  EOVERFLOW: TOO_LARGE,
};

const READ_ONLY: Meaning = {
  code: "STORE_UNAVAILABLE",
  message:
    "The data folder cannot be written to, so nothing can be added or changed; searching works. Give the server's user write access to it, or choose another folder with --data-dir.",
};
const STORE: Meanings = { EROFS: READ_ONLY, EACCES: READ_ONLY, EPERM: READ_ONLY };

const OTHERWISE: Readonly<Record<SystemPlace, Meaning>> = {
  file: refusing("FILE_UNAVAILABLE", "fileChanging"),
  store: {
    code: "STORE_UNAVAILABLE",
    message:
      "The data folder could not be read or written. Check that it exists, that the server's user may write to it, and that its disk works.",
  },
  system: {
    code: "SYSTEM_UNAVAILABLE",
    message:
      "The operating system refused a request of the server; the log has the cause. Try again, or run `knowledge-server doctor`.",
  },
};
const OWN: Readonly<Record<SystemPlace, Meanings>> = { file: FILE, store: STORE, system: {} };

/** Undefined for anything but an error of the operating system. */
export function systemMeaning(thrown: unknown, place: SystemPlace): Meaning | undefined {
  const code = (thrown as { code?: unknown } | null | undefined)?.code;
  // Node's own codes have an underscore: ERR_INVALID_ARG_TYPE.
  if (typeof code !== "string" || !/^(E[A-Z0-9]+|EAI_[A-Z]+)$/.test(code)) return undefined;
  return OWN[place][code] ?? EVERYWHERE[code] ?? OTHERWISE[place];
}
