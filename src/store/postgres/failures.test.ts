import { expect, test } from "vitest";
import { KnowledgeError, toKnowledgeError } from "../../domain/errors.ts";
import { codeOf, isLost, isSessionOver, isTransient, toStoreError } from "./failures.ts";

/** The classes of PostgreSQL's error codes (its manual, appendix A), and one that does not exist yet. */
const CLASSES = [
  "01 02 03 08 09 0A 0B 0F 0L 0P 0Z 20 21 22 23 24 25 26 27 28 2B 2D 2F 34 38 39 3B 3D 3F",
  "40 42 44 53 54 55 57 58 72 F0 HV P0 XX ZZ",
].flatMap((line) => line.split(" "));
const STATES = CLASSES.flatMap((each) => [`${each}000`, `${each}001`, `${each}P01`, `${each}300`]);

/** Errors that the client library throws itself. */
const LIBRARY = [
  "CONNECTION_CLOSED CONNECTION_DESTROYED CONNECTION_ENDED CONNECT_TIMEOUT COPY_IN_PROGRESS",
  "INVALID_TRANSACTION MAX_PARAMETERS_EXCEEDED MESSAGE_NOT_SUPPORTED NOT_TAGGED_CALL",
  "SASL_SIGNATURE_MISMATCH UNDEFINED_VALUE UNSAFE_TRANSACTION",
].flatMap((line) => line.split(" "));

const made = (fields: object, message = "quotes a secret text") =>
  Object.assign(new Error(message), fields);

function expectAdvice(thrown: unknown): void {
  const { code, message } = toKnowledgeError(toStoreError(thrown));
  const isValue = /^(22|54)/.test(codeOf(thrown)) && !isLost(thrown);
  const others = ["STORE_UNAVAILABLE", "STORE_FULL", "STORE_CORRUPT"];
  expect(isValue ? ["STORE_REFUSED"] : others).toContain(code);
  expect(message).not.toContain("secret");
}

test.each(["ERROR", "FATAL", "PANIC"])("each code of an %s says what to do", (severity) => {
  for (const code of STATES) expectAdvice(made({ code, severity, name: "PostgresError" }));
});

test("each error of the client library says what to do", () => {
  for (const code of LIBRARY) expectAdvice(made({ code }));
});

test("a row that cannot be parsed says what to do, and is not quoted in the log", () => {
  const error = made({ query: "SELECT" });
  expectAdvice(error);
  const { cause } = toStoreError(error) as KnowledgeError;
  expect(String(cause)).not.toContain("secret");
});

test("a value that the database refuses is not tried again, nor quoted in the log", () => {
  const { code, cause } = toStoreError(
    made({ code: "22P02", severity: "ERROR" }),
  ) as KnowledgeError;
  expect(code).toBe("STORE_REFUSED");
  expect(cause).toMatchObject({ code: "22P02" });
  expect(String(cause)).not.toContain("secret");
});

test("what is not the database's keeps its own meaning", () => {
  const full = made({ code: "ENOSPC" });
  expect(toKnowledgeError(toStoreError(full)).code).toBe("STORE_FULL");
  const own = new KnowledgeError("CANCELLED", "The call was cancelled.");
  expect(toStoreError(own)).toBe(own);
  const bug = new TypeError("not a function");
  expect(toStoreError(bug)).toBe(bug);
});

test("an error of Node's own is not taken for one of the client library", () => {
  for (const code of ["ERR_INVALID_ARG_TYPE", "ERR_OUT_OF_RANGE", "ABORT_ERR"]) {
    const own = made({ code });
    expect(toStoreError(own)).toBe(own);
  }
});

test("only a database that did not respond is said to be out of reach", () => {
  const isAway = (fields: object) => String(toStoreError(made(fields))).includes("be reached");
  for (const code of ["23503", "23505", "40001", "40P01", "55P03", "26000", "42P05"]) {
    expect(isAway({ code, severity: "ERROR" }), code).toBe(false);
  }
  for (const code of ["ECONNREFUSED", "CONNECT_TIMEOUT", "57P03", "53300"]) {
    expect(isAway({ code }), code).toBe(true);
  }
});

test("an ERROR leaves its session open; a FATAL ends it, and another one may work", () => {
  for (const code of ["08P01", "40001", "57014", "XX000"]) {
    expect(isSessionOver(made({ code, severity: "ERROR" }))).toBe(false);
    expect(isSessionOver(made({ code, severity: "FATAL" }))).toBe(true);
  }
  expect(isSessionOver(made({ code: "CONNECTION_CLOSED" }))).toBe(true);
  expect(isLost(made({ code: "58030", severity: "FATAL" }))).toBe(true);
  for (const code of ["28P01", "28000", "3D000", "57P04", "42501", "53200"]) {
    expect(isTransient(made({ code, severity: "FATAL" }))).toBe(false);
  }
});
