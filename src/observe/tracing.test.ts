import { sep } from "node:path";
import { describe, expect, test } from "vitest";
import { traceOf } from "./tracing.ts";

describe("the trace of an error", () => {
  test("names the error and its calls, without folders and without its message", () => {
    const parse = () => JSON.parse('the secret of a document"');
    let trace = "";
    try {
      parse();
    } catch (thrown) {
      trace = traceOf(thrown);
    }
    expect(trace).toMatch(/^SyntaxError < .*parse tracing\.test\.ts\S*:\d+:\d+ < /);
    expect(trace).not.toContain("secret");
    expect(trace).not.toContain(sep);
  });

  test("has the code of a system error", () => {
    const error = Object.assign(new Error("open '/home/ada/x'"), { code: "ENOENT", stack: "" });
    expect(traceOf(error)).toBe("Error ENOENT");
  });

  test.each([
    ["at read (file:///home/ada/app/dist/main.js:1:20)", "read main.js:1:20"],
    ["at async C:\\Users\\ada\\app\\main.js:3:4", "main.js:3:4"],
    ["at new Reader (/srv/a b/dist/read.js:9:1)", "new Reader read.js:9:1"],
    ["at Array.map (<anonymous>)", undefined],
  ])("%s", (line, call) => {
    const error = Object.assign(new TypeError("x"), { stack: `TypeError: x\n    ${line}` });
    expect(traceOf(error)).toBe(["TypeError", call].filter(Boolean).join(" < "));
  });

  test("of a thrown value that is not an error is its type", () => {
    expect(traceOf("a document's text")).toBe("string");
  });
});
