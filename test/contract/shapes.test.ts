// The tools' contracts are the one place where payloads are described: the command line and the console infer
// their types from them and assert nothing of their own.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { toOutputSchema } from "../../src/mcp/catalogue.ts";

const ROOMS = ["src/cli", "src/console/pages"];
// A type assertion; what the browser and the Markdown parser hand out as a plain element is not a payload, nor is what a
// command declared and its own declaration has read.
const CAST =
  /\bas (?!const\b|CommandContext<Of>|HTML|FileSystem|Text\b|Tokens\.)(?:unknown|never|any|readonly|[A-Z{(])/;

function castsIn(code: string): readonly string[] {
  const bare = code.replace(/"[^"\n]*"|`[^`]*`/g, '""').split("\n");
  return bare.filter((line) => !/^\s*(\/\/|\*|\/\*)/.test(line) && CAST.test(line));
}

test("the command line and the console cast no payload", async () => {
  const found = await Promise.all(
    ROOMS.map(async (room) => {
      const names = await readdir(room, { recursive: true });
      const code = names.filter((name) => /\.tsx?$/.test(name) && !/\.test\.ts$/.test(name));
      return Promise.all(
        code.map(async (name) => castsIn(await readFile(join(room, name), "utf8"))),
      );
    }),
  );
  expect(found.flat(2)).toEqual([]);
});

test.each([
  "const found = payload as Payload;",
  "return (await rows()) as unknown as readonly Row[];",
  "const { message } = payload as { message: string };",
])("%s is found as a cast", (line) => {
  expect(castsIn(line)).toHaveLength(1);
});

test("published output schemas require only fields that successes and errors share", () => {
  const listed = toOutputSchema({
    input: z.object({}),
    success: z.union([
      z.object({ success: z.literal(true), status: z.literal("a"), one: z.number() }),
      z.object({ success: z.literal(true), status: z.literal("b") }),
    ]),
    failure: z.object({ success: z.literal(false), error: z.string() }),
  });
  expect(listed).toMatchObject({
    required: ["success"],
    properties: { success: { type: "boolean" }, status: { enum: ["a", "b"] } },
  });
});
