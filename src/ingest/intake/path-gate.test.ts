import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { tempFolder } from "../../../test/support/temp-folder.ts";
import type { KnowledgeError } from "../../domain/errors.ts";
import { openPathGate, type PathGate } from "./path-gate.ts";
import { isSecret } from "./secrets.ts";

let base = "";
let gate: PathGate;

beforeAll(async () => {
  base = tempFolder("gate");
  for (const folder of ["work/sub", "home/.ssh", "outside", "work/data"]) {
    await mkdir(join(base, folder), { recursive: true });
  }
  for (const file of [
    "work/a.txt",
    "work/sub/b.txt",
    "work/.env",
    "work/data/own.txt",
    "home/c.txt",
    "home/.ssh/id_rsa",
    "outside/secret.txt",
  ]) {
    await writeFile(join(base, file), "text");
  }
  await symlink(join(base, "outside/secret.txt"), join(base, "work/link.txt"));
  await symlink(join(base, "outside"), join(base, "work/way-out"));
  await symlink(join(base, "work/a.txt"), join(base, "work/inner.txt"));
  await symlink(join(base, "work"), join(base, "alias"));
  gate = openPathGate({
    roots: [join(base, "work"), join(base, "home")],
    closed: [join(base, "work/data")],
    home: join(base, "home"),
    workingDirectory: join(base, "work"),
  });
});

async function openedName(given: string): Promise<string> {
  const { handle, path } = await gate.open(given);
  await handle.close();
  return path.slice(base.length + 1);
}

async function refusal(given: string): Promise<string> {
  const error = await gate.open(given).then(
    async ({ handle }) => {
      await handle.close();
      return { code: "OPENED", message: "" };
    },
    (thrown: KnowledgeError) => thrown,
  );
  expect(error.message).not.toContain(base);
  return error.code;
}

describe("what is allowed", () => {
  test("absolute, relative, home and file: paths name the same kind of file", async () => {
    expect(await openedName(join(base, "work/a.txt"))).toBe("work/a.txt");
    expect(await openedName("sub/b.txt")).toBe("work/sub/b.txt");
    expect(await openedName("~/c.txt")).toBe("home/c.txt");
    expect(await openedName(pathToFileURL(join(base, "work/a.txt")).href)).toBe("work/a.txt");
  });

  test("a link that stays inside is followed", async () => {
    expect(await openedName("inner.txt")).toBe("work/a.txt");
    expect(await openedName(join(base, "alias/a.txt"))).toBe("work/a.txt");
  });
});

describe("what is refused", () => {
  test("files outside the roots get the same error, whether they exist or not", async () => {
    expect(await refusal(join(base, "outside/secret.txt"))).toBe("ACCESS_DENIED");
    expect(await refusal(join(base, "outside/nothing.txt"))).toBe("ACCESS_DENIED");
    expect(await refusal("../outside/secret.txt")).toBe("ACCESS_DENIED");
    expect(await refusal("/etc/passwd")).toBe("ACCESS_DENIED");
  });

  test("a link out of the roots, of the file or on its way", async () => {
    expect(await refusal("link.txt")).toBe("ACCESS_DENIED");
    expect(await refusal("way-out/secret.txt")).toBe("ACCESS_DENIED");
  });

  test("secrets and the server's own data, inside the roots too", async () => {
    expect(await refusal("~/.ssh/id_rsa")).toBe("ACCESS_DENIED");
    expect(await refusal(".env")).toBe("ACCESS_DENIED");
    expect(await refusal("data/own.txt")).toBe("ACCESS_DENIED");
  });

  test("a folder, a missing file and a path with NUL have different errors", async () => {
    expect(await refusal("sub")).toBe("INVALID_PARAMETER");
    expect(await refusal("nothing.txt")).toBe("FILE_NOT_FOUND");
    expect(await refusal("a.txt/b.txt")).toBe("FILE_NOT_FOUND");
    expect(await refusal("a\0.txt")).toBe("INVALID_PARAMETER");
    expect(await refusal("file://elsewhere/a.txt")).toBe("INVALID_PARAMETER");
  });
});

test.each([
  ["/home/u/.aws/config", true],
  ["/home/u/app/.env.production", true],
  ["/home/u/keys/server.PEM", true],
  ["/home/u/.config/gcloud/x.json", true],
  ["/proc/self/environ", true],
  ["/home/u/credentials.json", true],
  ["/home/u/environment.md", false],
  ["/home/u/keynote.pdf", false],
  ["/home/u/credentials-policy.docx", false],
])("%s is a secret: %s", (path, expected) => {
  expect(isSecret(path)).toBe(expected);
});

test("while a folder is swapped for a file, a link and nothing, every refusal has a real code", async () => {
  const spot = join(base, "work/swapped");
  const kinds = [
    async () => {
      await mkdir(spot);
      await writeFile(join(spot, "x.txt"), "text");
    },
    () => writeFile(spot, "text"),
    () => symlink(join(base, "outside"), spot),
    () => symlink(spot, spot),
    () => mkdir(join(spot, "x.txt"), { recursive: true }),
  ];
  const state = { isOver: false };
  const swapping = (async () => {
    for (let turn = 0; !state.isOver; turn++) {
      await kinds[turn % kinds.length]?.();
      await rm(spot, { recursive: true, force: true });
    }
  })();
  const codes = new Set<string>();
  for (let turn = 0; turn < 400; turn++) codes.add(await refusal(join(spot, "x.txt")));
  state.isOver = true;
  await swapping;
  const real = [
    "OPENED",
    "FILE_NOT_FOUND",
    "FILE_UNAVAILABLE",
    "ACCESS_DENIED",
    "INVALID_PARAMETER",
  ];
  expect([...codes].filter((code) => !real.includes(code))).toEqual([]);
  expect(codes.size).toBeGreaterThan(1);
});
