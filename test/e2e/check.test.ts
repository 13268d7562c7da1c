// Whether searches still find what they found: on the command line, and over the console's address.
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { programLine, startHttpProgram } from "../support/process.ts";
import { runToEnd } from "../support/run.ts";
import { tempFolder } from "../support/temp-folder.ts";

const FILES = new Map([
  ["travel.md", "# Travel money\n\nRequests for travel money are due within thirty days.\n"],
  ["harbour.md", "# Harbour fees\n\nA mooring fee is a charge for every night at the pier.\n"],
]);
let folder = "";
const run = (...args: readonly string[]) =>
  runToEnd({ args: programLine(args, folder).slice(1), folder });

beforeAll(async () => {
  folder = tempFolder("check");
  for (const [name, text] of FILES) await writeFile(join(folder, name), text);
  expect(await run("add", ...FILES.keys())).toMatchObject({ code: 0 });
});

test("a pinned question is lost with its document, and the exit code says so", async () => {
  expect(await run("check", "make")).toMatchObject({ code: 0 });
  const pinned = await run("check", "pin", "when is travel money due", "--expects", "travel.md");
  expect(pinned, pinned.stderr).toMatchObject({ code: 0 });
  const first = await run("check", "--json");
  expect(first, first.stderr).toMatchObject({ code: 0 });
  const { asked, found } = JSON.parse(first.stdout);
  expect(asked).toBeGreaterThanOrEqual(3);
  expect(found).toBe(asked);
  expect(await run("remove", "travel.md", "--yes")).toMatchObject({ code: 0 });
  const second = await run("check");
  expect(second.code).toBe(1);
  expect(second.stdout).toMatch(/Lost \(1\)[\s\S]*when is travel money due[\s\S]*not in the index/);
  expect(await run("check", "--accept")).toMatchObject({ code: 0 });
});

test("a backup keeps the questions", async () => {
  const before = JSON.parse((await run("check", "--json")).stdout);
  expect(await run("backup", "all.backup")).toMatchObject({ code: 0 });
  const other = tempFolder("check-restored");
  const moved = (...args: readonly string[]) =>
    runToEnd({ args: programLine(args, other).slice(1), folder: other });
  const restored = await moved("restore", join(folder, "all.backup"));
  expect(restored, restored.stderr).toMatchObject({ code: 0 });
  expect(JSON.parse((await moved("check", "--json")).stdout)).toMatchObject({
    asked: before.asked,
    found: before.found,
  });
});

test("the console pins, runs and removes questions, for administrators only", async () => {
  const [own, other] = ["0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"];
  const entryOf = (token: string, rights: readonly string[]) => {
    const sha256 = createHash("sha256").update(token).digest("hex");
    return { name: token.slice(0, 4), sha256, rights };
  };
  const tokens = [entryOf(own, ["read", "write", "admin"]), entryOf(other, ["read", "write"])];
  const server = await startHttpProgram({
    args: ["--token-file", "tokens.yaml"],
    async prepare(place) {
      await writeFile(join(place, "tokens.yaml"), JSON.stringify({ tokens }), { mode: 0o600 });
      await writeFile(join(place, "harbour.md"), FILES.get("harbour.md") ?? "");
      for (const args of [
        ["add", "harbour.md"],
        ["check", "make"],
      ]) {
        const line = programLine(args, place).slice(1);
        expect(await runToEnd({ args: line, folder: place })).toMatchObject({ code: 0 });
      }
    },
  });
  const ask = async (token: string, act = "", body?: object) => {
    const response = await fetch(`${server.url}/api/check${act}`, {
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
    const read = (await response.json()) as { questions: { id: string; documentId: string }[] };
    return { status: response.status, body: read };
  };
  try {
    const [made = { id: "", documentId: "" }] = (await ask(own)).body.questions;
    const pin = { question: "mooring at night", documentId: made.documentId };
    expect(await ask(own, "/pin", pin)).toMatchObject({ status: 200, body: { kind: "pinned" } });
    expect(await ask(own, "/run", {})).toMatchObject({ status: 200, body: { lost: [] } });
    expect(await ask(own, "/remove", { id: made.id })).toMatchObject({ body: { removed: 1 } });
    expect(await ask(own, "/pin", { question: "" })).toMatchObject({ status: 400 });
    expect(await ask(other)).toMatchObject({ status: 403 });
    expect(await ask(other, "/run", {})).toMatchObject({ status: 403 });
  } finally {
    await server.stop();
  }
});
