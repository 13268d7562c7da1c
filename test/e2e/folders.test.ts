// A watched folder: files are added, changed, moved and removed while the server is killed and restarted.
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openRandom } from "../../stress/fuzz/random.ts";
import { eventually } from "../support/eventually.ts";
import { connectTo, type HttpServer, startHttp } from "../support/spawned.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { openStoreAt } from "../support/temp-store.ts";

const MOVES = Number(process.env["KNOWLEDGE_TEST_MOVES"] ?? 120);
const KILLS = 4;

let folder: string;
let watched: string;
let server: HttpServer;

beforeAll(async () => {
  folder = tempFolder("folders");
  watched = join(folder, "watched");
  await mkdir(join(watched, "deep"), { recursive: true });
  await writeFile(join(folder, "config.yaml"), `folders: [${JSON.stringify(watched)}]\n`);
  await writeFile(join(watched, ".gitignore"), "ignored-*\n");
  server = await start();
});
afterAll(async () => {
  await server.kill();
  await rm(folder, { recursive: true, force: true });
});

const start = () =>
  startHttp({ dataDir: join(folder, "data"), root: folder, config: join(folder, "config.yaml") });

/** The distinct contents of the folder, because the same text twice is one document. */
async function contents(): Promise<readonly string[]> {
  const names = await readdir(watched, { recursive: true });
  const texts = await Promise.all(
    names
      .filter((name) => name.endsWith(".txt") && !name.includes("ignored-"))
      .map((name) => readFile(join(watched, name))),
  );
  return [...new Set(texts.map((text) => createHash("sha256").update(text).digest("hex")))].sort();
}

async function held(): Promise<readonly string[]> {
  const store = openStoreAt(join(folder, "data"));
  try {
    const page = { limit: 10_000, offset: 0, sortBy: "filename", sortOrder: "asc" } as const;
    const { documents } = await store.documents.list(page);
    return documents.map(({ contentHash }) => contentHash).sort();
  } finally {
    await store.close();
  }
}

test("after random changes and kills the knowledge base equals the folder", async () => {
  const random = openRandom(7);
  const files: string[] = [];
  const text = () =>
    `Report ${random.below(MOVES)} on the weather of station ${random.below(9)}.\n`;
  const change = async (move: number) => {
    const roll = random.next();
    const at = random.below(files.length);
    const path = files[at];
    if (path === undefined || roll < 0.5) {
      const folder = random.chance(0.2) ? "deep/" : "";
      const name = `${folder}${random.chance(0.1) ? "ignored-" : ""}${move}.txt`;
      await writeFile(join(watched, name), text());
      files.push(join(watched, name));
    } else if (roll < 0.7) await writeFile(path, text());
    else if (roll < 0.85) {
      files[at] = join(watched, `moved-${move}.txt`);
      await rename(path, files[at]);
    } else {
      await rm(path);
      files.splice(at, 1);
    }
  };
  for (let move = 0; move < MOVES; move += 1) {
    await change(move);
    if (move % Math.ceil(MOVES / KILLS) === Math.ceil(MOVES / KILLS) - 1) {
      await server.kill();
      server = await start();
    }
  }
  const wanted = await contents();
  expect(wanted.length).toBeGreaterThan(10);
  await expect.poll(held, { timeout: 200_000, interval: 500 }).toEqual(wanted);
});

test("status lists the watched folders", async () => {
  const { call, close } = await connectTo("http", server.url);
  await eventually(async () => {
    const { folders } = await call("knowledge-status", {});
    expect(folders).toMatchObject([{ path: watched, watched: true, refused: 0 }]);
  });
  await close();
});
