// The two stages with the real model: found before it is refined, and across a kill.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import {
  type Connected,
  connectTo,
  type HttpServer,
  type ServerPlace,
  startHttp,
} from "../support/spawned.ts";
import { tempFolder } from "../support/temp-folder.ts";

// Some seconds of the model's work: enough to be killed in the middle of.
const PARAGRAPHS = 150;

let base: string;
let place: ServerPlace;
let server: HttpServer;
let at: Connected;

const start = async () => {
  server = await startHttp(place);
  at = await connectTo("http", server.url);
};

beforeEach(async () => {
  base = tempFolder("refine");
  place = { dataDir: join(base, "data"), root: join(base, "files") };
  await mkdir(place.root);
});
afterEach(async () => {
  await at.close();
  await server.stop();
  await rm(base, { recursive: true, force: true });
});

const toRefine = () =>
  eventually(async () => {
    const { refining, health } = await at.call("knowledge-status", {});
    expect(health).toMatchObject({ status: "healthy" });
    return (refining as { chunks: number } | undefined)?.chunks ?? 0;
  });

async function firstFor(query: string): Promise<string> {
  const { results } = await at.call("knowledge-search", { query, max_results: 1 });
  const [first] = results as readonly { readonly filename?: string; readonly source?: string }[];
  return JSON.stringify(first ?? {});
}

test("a kill during refining loses nothing, and the next process continues", async () => {
  const filler = "The keeper writes down the wind, the tide and the ships that passed. ".repeat(6);
  const text = Array.from({ length: PARAGRAPHS }, (_, n) => `Day ${n}. ${filler}`).join("\n\n");
  const path = join(place.root, "log.txt");
  await writeFile(path, text);
  await start();
  const added = await at.call("knowledge-add", { file_path: path, async: false });
  const chunks = Number(added["chunks_created"]);
  expect(await toRefine()).toBeGreaterThan(0);
  expect(await firstFor("who notes the weather at the lighthouse")).toContain("log.txt");
  await eventually(async () => expect(await toRefine()).toBeLessThan(chunks));
  await server.kill();
  await at.close().catch(() => {});
  await start();
  expect(await toRefine()).toBeLessThan(chunks);
  expect(await firstFor("who notes the weather at the lighthouse")).toContain("log.txt");
  await eventually(async () => expect(await toRefine()).toBe(0), 200_000);
  expect(await firstFor("Day 149")).toContain("log.txt");
});
