import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ERRORS, fromSystem, KnowledgeError, toKnowledgeError } from "./errors.ts";

const ERRNOS = Object.keys(constants.errno);
const PLACES = ["file", "store", "system"] as const;

function systemError(code: string): Error {
  const path = join(tmpdir(), "secret", "place");
  return Object.assign(new Error(`${code}: something, open '${path}'`), { code, errno: -1, path });
}

describe("an error of the operating system", () => {
  test.each(PLACES)("has an entry in the catalogue and says what to do (%s)", (place) => {
    expect(ERRNOS.length).toBeGreaterThan(60);
    for (const code of [...ERRNOS, "EAI_AGAIN", "ESOMETHINGNEW"]) {
      const error = fromSystem(systemError(code), place) as KnowledgeError;
      expect(error, code).toBeInstanceOf(KnowledgeError);
      expect(Object.keys(ERRORS)).toContain(error.code);
      expect(error.code, code).not.toBe("INTERNAL");
      expect(error.message, code).toMatch(/^.{20,}\.$/);
      expect(error.message, code).not.toContain(tmpdir());
    }
  });

  test.each(ERRNOS)("%s is never 'internal', wherever it comes from", (code) => {
    expect(toKnowledgeError(systemError(code)).code).not.toBe("INTERNAL");
  });

  test.each([
    ["file", "ENOENT", "FILE_NOT_FOUND"],
    ["file", "ENOTDIR", "FILE_NOT_FOUND"],
    ["file", "ELOOP", "ACCESS_DENIED"],
    ["file", "ESTALE", "FILE_UNAVAILABLE"],
    ["file", "EBUSY", "FILE_UNAVAILABLE"],
    ["file", "EIO", "FILE_UNAVAILABLE"],
    ["file", "EMFILE", "OVERLOADED"],
    ["file", "EISDIR", "INVALID_PARAMETER"],
    ["store", "ENOSPC", "STORE_FULL"],
    ["store", "EDQUOT", "STORE_FULL"],
    ["store", "EROFS", "STORE_UNAVAILABLE"],
    ["store", "ENOTDIR", "STORE_UNAVAILABLE"],
    ["store", "EMFILE", "OVERLOADED"],
    ["system", "ENOSPC", "STORE_FULL"],
    ["system", "EBUSY", "SYSTEM_UNAVAILABLE"],
  ] as const)("%s: %s is %s", (place, code, expected) => {
    expect(fromSystem(systemError(code), place)).toMatchObject({ code: expected });
  });

  test.each([
    Object.assign(new Error("bad argument"), { code: "ERR_INVALID_ARG_TYPE" }),
    Object.assign(new Error("damaged"), { code: "Z_DATA_ERROR" }),
    new TypeError("x is not a function"),
  ])("%s is none", (error) => expect(fromSystem(error, "store")).toBe(error));
});
