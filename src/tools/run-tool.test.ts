import { expect, test } from "vitest";
import * as z from "zod";
import { callContext } from "../../test/support/call-context.ts";
import { KnowledgeError } from "../domain/errors.ts";
import { runTool } from "./run-tool.ts";
import { defineTool, type Tool } from "./tool.ts";

const context = callContext();

const contract = {
  name: "t",
  input: z.object({ path: z.string(), count: z.number().int().max(5).default(1) }),
  success: z.looseObject({}),
  failure: z.looseObject({ success: z.boolean(), error: z.string(), message: z.string() }),
};

const tool = (run: (args: { path: string; count: number }) => unknown): Tool =>
  defineTool({
    contract,
    title: "T",
    family: "documents",
    effect: "read",
    description: "T",
    toError: ({ code, message, details }) => ({ success: false, error: code, message, ...details }),
    run: async (args) => ({ payload: run(args) }),
  });

test("the handler gets parsed arguments, defaults filled in", async () => {
  expect(
    await runTool(
      tool((args) => args),
      { path: "a", extra: 1 },
      context,
    ),
  ).toEqual({
    payload: { path: "a", count: 1 },
    notes: ["Ignored unknown arguments: 'extra'"],
  });
});

test.each([
  [
    { success: true },
    { success: true, message: "Ignored unknown arguments: 'cuont' (did you mean 'count'?)" },
  ],
  [
    { success: true, message: "Done" },
    { message: "Done. Ignored unknown arguments: 'cuont' (did you mean 'count'?)" },
  ],
])("an unknown argument is named in the message of %j", async (payload, expected) => {
  const named = await runTool(
    tool(() => payload),
    { path: "a", cuont: 2 },
    context,
  );
  expect(named.payload).toMatchObject(expected);
});

test.each([
  [{}, "MISSING_REQUIRED_PARAMETER", "path"],
  [undefined, "MISSING_REQUIRED_PARAMETER", "path"],
  [{ path: null }, "INVALID_PARAMETER", "path"],
  [{ path: "a", count: 9 }, "INVALID_PARAMETER", "count"],
  [[], "INVALID_PARAMETER", undefined],
])("%j is the family's own error", async (args, error, parameter) => {
  const output = await runTool(
    tool(() => "never"),
    args,
    context,
  );
  expect(output.isError).toBe(true);
  expect(output.payload).toMatchObject({
    success: false,
    error,
    ...(parameter ? { parameter } : {}),
  });
  expect(output.structured).toEqual(output.payload);
});

test.each([
  [{ paht: "a" }, "The parameter 'path' is required. Ignored unknown arguments: 'paht'"],
  [
    { path: "a", count: 9, note: 1 },
    "'count': must be at most 5. Ignored unknown arguments: 'note'",
  ],
])("the refusal of %j names the unknown argument", async (args, expected) => {
  const { payload } = await runTool(
    tool(() => "never"),
    args,
    context,
  );
  expect(payload).toMatchObject({ message: expect.stringContaining(expected) });
});

test("only a problem with arguments names unknown ones", async () => {
  const failing = (code: "INVALID_PARAMETER" | "FILE_NOT_FOUND") =>
    tool(() => {
      throw new KnowledgeError(code, "It failed.");
    });
  const message = async (code: "INVALID_PARAMETER" | "FILE_NOT_FOUND") =>
    (await runTool(failing(code), { path: "a", note: 1 }, context)).payload;
  expect(await message("INVALID_PARAMETER")).toMatchObject({
    message: "It failed. Ignored unknown arguments: 'note'.",
  });
  expect(await message("FILE_NOT_FOUND")).toMatchObject({ message: "It failed." });
});

test("a failure from the catalogue keeps its message, an unknown one does not", async () => {
  const known = tool(() => {
    throw new KnowledgeError("FILE_NOT_FOUND", "Look elsewhere.", { details: { path: "a" } });
  });
  expect((await runTool(known, { path: "a" }, context)).payload).toMatchObject({
    error: "FILE_NOT_FOUND",
    message: "Look elsewhere.",
    path: "a",
  });
  const unknown = tool(() => {
    throw new Error("password is hunter2");
  });
  const { payload } = await runTool(unknown, { path: "a" }, context);
  expect(payload).toMatchObject({ error: "INTERNAL" });
  expect(JSON.stringify(payload)).not.toContain("hunter2");
});

test("an aborted call is reported as cancelled", async () => {
  const aborted = tool(() => {
    throw new DOMException("gone", "AbortError");
  });
  expect((await runTool(aborted, { path: "a" }, context)).payload).toMatchObject({
    error: "CANCELLED",
  });
});
