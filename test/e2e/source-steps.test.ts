// A server is killed at each named step of a sync; the next one brings the knowledge base up to date, and nothing is there
// twice or lost.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { type ServerPlace, startHttp } from "../support/spawned.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { openStoreAt } from "../support/temp-store.ts";

// Of the task: `kept`, `queued`. Of a document in it: `reading` to `stored`. Of the ledger: `recording` to `left`.
const STEPS = [
  ...["kept", "queued", "reading", "extracting", "indexing", "stored"],
  ...["recording", "recorded", "leaving", "left"],
];

let place: ServerPlace;
let watched: string;

beforeAll(async () => {
  const root = tempFolder("source-steps");
  watched = join(root, "watched");
  await mkdir(watched);
  const config = join(root, "config.json");
  await writeFile(config, JSON.stringify({ folders: [watched] }));
  place = { dataDir: join(root, "data"), root, config, isWithoutModel: true };
  await write("changes", "Before any change.");
  for (const step of STEPS) {
    await write(`moves-${step}`, `Moves at ${step}.`);
    await write(`leaves-${step}`, `Leaves at ${step}.`);
  }
  await bringUpToDate();
});

const write = (name: string, text: string) => writeFile(join(watched, `${name}.txt`), text);

async function held() {
  const store = openStoreAt(place.dataDir);
  try {
    const page = { limit: 1_000, offset: 0, sortBy: "filename", sortOrder: "asc" } as const;
    const { documents } = await store.documents.list(page);
    return documents.map(({ id, contentHash, sourcePath = "" }) => ({
      ...{ id, contentHash },
      name: basename(sourcePath),
    }));
  } finally {
    await store.close();
  }
}

const lines = (list: readonly { readonly name: string; readonly contentHash: string }[]) =>
  list.map(({ name, contentHash }) => `${name} ${contentHash}`).sort();

/** Each file is one document, under its name. */
async function wanted() {
  const files = await readdir(watched);
  const texts = await Promise.all(files.map((name) => readFile(join(watched, name))));
  return files.map((name, at) => ({
    name,
    contentHash: createHash("sha256")
      .update(texts[at] ?? "")
      .digest("hex"),
  }));
}

async function bringUpToDate() {
  const server = await startHttp(place);
  try {
    const expected = lines(await wanted());
    await eventually(async () => expect(lines(await held())).toEqual(expected));
  } finally {
    await server.stop();
  }
}

const idOf = async (name: string) => (await held()).find((each) => each.name === name)?.id;

test.each(STEPS)("a sync that is killed at %s is finished by the next server", async (step) => {
  const [before, after] = [`moves-${step}.txt`, `moved-${step}.txt`];
  const ids = { changes: await idOf("changes.txt"), moves: await idOf(before) };
  expect(Object.values(ids)).not.toContain(undefined);
  await write("changes", `Changed at ${step}.`);
  await write(`new-${step}`, `New at ${step}.`);
  await rename(join(watched, before), join(watched, after));
  await rm(join(watched, `leaves-${step}.txt`));
  const dying = await startHttp(place, { file: "kill-at.ts", env: { KILL_AT: step } });
  const [, signal] = await once(dying.child, "exit");
  expect(signal).toBe("SIGKILL");
  await bringUpToDate();
  expect({ changes: await idOf("changes.txt"), moves: await idOf(after) }).toEqual(ids);
});
