// How a path is refused: what happened, then what to do. No message names a path of this machine.
import { fromSystem, KnowledgeError } from "../../domain/errors.ts";

export const REFUSED = {
  outside:
    "The file is outside the folders that this server may read. Copy it into one of them, or start the server with --root FOLDER.",
  secret: "Files that may contain keys or credentials are never added.",
  hidden:
    "The file or its folder is hidden. Copy it to a folder that is not hidden, or start the server with --root and the hidden folder.",
  unsure:
    "The server cannot look into its own folders, so it cannot tell whether this file is one of its own. Let the server's user read the data folder and all folders in it, then add the file again.",
  own: "This file belongs to the server itself and is never added.",
} as const;

export function failed(cause: unknown): never {
  throw toFileError(cause);
}

export function toFileError(cause: unknown): unknown {
  return fromSystem(cause, "file");
}

export function denied(message: string): KnowledgeError {
  return new KnowledgeError("ACCESS_DENIED", message);
}

export function invalid(problem: string): KnowledgeError {
  return new KnowledgeError("INVALID_PARAMETER", `'file_path': ${problem}.`, {
    details: { parameter: "file_path" },
  });
}
