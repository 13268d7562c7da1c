// How a path is refused: what happened, then what to do. No message names a path of this machine.
import { KnowledgeError } from "../domain/errors.ts";

export const REFUSED = {
  outside:
    "The file is outside the folders that this server may read. Copy it into one of them, or start the server with --root FOLDER.",
  secret: "Files that may hold keys or credentials are never added.",
  hidden:
    "The file is in a hidden folder or is hidden itself. Copy it to a folder that is not, or start the server with --root and that folder.",
  own: "This file belongs to the server itself and is never added.",
} as const;

export function failed(cause: unknown): never {
  throw toFileError(cause);
}

export function toFileError(cause: unknown): KnowledgeError {
  const code = (cause as { code?: string }).code;
  if (code === "ENOENT" || code === "ENOTDIR") {
    return new KnowledgeError("FILE_NOT_FOUND", "There is no such file. Check the path.", {
      cause,
    });
  }
  if (code === "ENAMETOOLONG") return invalid("this path is too long");
  if (code === "EACCES" || code === "EPERM" || code === "ELOOP" || code === "ENXIO") {
    return denied("The server has no permission to read this file.", cause);
  }
  return new KnowledgeError("FILE_NOT_FOUND", "The file cannot be read.", { cause });
}

export function denied(message: string, cause?: unknown): KnowledgeError {
  return new KnowledgeError("ACCESS_DENIED", message, { cause });
}

export function invalid(problem: string): KnowledgeError {
  return new KnowledgeError("INVALID_PARAMETER", `'file_path': ${problem}.`, {
    details: { parameter: "file_path" },
  });
}
