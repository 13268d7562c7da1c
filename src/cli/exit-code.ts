// The program's exit codes; docs/command-line.md lists them for every command.
import { ERRORS, type ErrorCode, type ErrorKind } from "../domain/errors.ts";

const BY_KIND: Readonly<Record<ErrorKind, number>> = {
  internal: 1,
  invalid: 2,
  "not-found": 3,
  denied: 4,
  conflict: 5,
  unavailable: 6,
  cancelled: 130,
};

export const INTERRUPTED = BY_KIND.cancelled;

export function exitCode(code: ErrorCode): number {
  return BY_KIND[ERRORS[code].kind];
}
