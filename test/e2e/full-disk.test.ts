// A nearly full disk, at many degrees of fullness: every call gets a response, and what was acknowledged is there when
// there is space again.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { smallDisk } from "../support/small-disk.ts";
import { type Connected, connectTo, type HttpServer, startHttp } from "../support/spawned.ts";
import { tempFolder } from "../support/temp-folder.ts";

const KB = 1024;
const DISK_BYTES = 16 * 1024 * KB;
// From nothing to more than one file and the log of its transaction need.
const ALL_FREE_KB = [0, 4, 16, 32, 48, 64, 80, 96, 128, 160, 192, 256, 320, 384, 448, 512];
/** FULL_DISK=all tries each. */
const FREE_KB = ALL_FREE_KB.filter((_, n) => process.env["FULL_DISK"] === "all" || n % 3 === 1);
const FILE_BYTES = 100 * KB;

const disk = await smallDisk(DISK_BYTES);

interface Added {
  readonly file: string;
  readonly html: string;
  readonly answer: Record<string, unknown>;
}

describe.skipIf(!disk)("on a full disk", () => {
  const path = disk?.path ?? "";
  const files = { root: "", count: 0 };
  let server: HttpServer;
  let at: Connected;
  const open = async () => {
    const config = join(files.root, "config.yaml");
    server = await startHttp({ dataDir: join(path, "data"), root: files.root, config });
    at = await connectTo("http", server.url);
  };
  beforeAll(async () => {
    files.root = tempFolder("full-disk");
    const watched = join(files.root, "watched");
    await mkdir(watched);
    await writeFile(join(watched, "watched.txt"), "A watched note about lighthouses.");
    await writeFile(join(files.root, "config.yaml"), `folders: [${JSON.stringify(watched)}]\n`);
    await mkdir(join(path, "data"));
    disk?.fill(0);
    await open();
  });
  afterAll(async () => {
    await at.close();
    await server.kill();
    await disk?.dispose();
    await rm(files.root, { recursive: true, force: true });
  });

  /** Large on disk and quick to read: a page's comment is no text. */
  const page = () => {
    files.count += 1;
    const filler = `<!-- ${String(files.count).repeat(FILE_BYTES).slice(0, FILE_BYTES)} -->`;
    const html = `<html><body><p>The keeper of lighthouse number${files.count} saw a ship.</p>${filler}</body></html>`;
    return { file: `page-${files.count}.html`, html };
  };
  const add = async (isAsync: boolean): Promise<Added> => {
    const { file, html } = page();
    await writeFile(join(files.root, file), html);
    const args = { file_path: join(files.root, file), async: isAsync };
    return { file, html, answer: await at.call("knowledge-add", args) };
  };
  const upload = async (): Promise<Added> => {
    const { file, html } = page();
    const url = new URL(`/api/upload?filename=${file}`, server.url);
    const headers = { "content-type": "application/octet-stream" };
    const response = await fetch(url, { method: "POST", headers, body: html });
    return { file, html, answer: (await response.json()) as Record<string, unknown> };
  };
  const expectAnswered = (added: readonly Added[]) => {
    for (const { answer } of added) {
      if (answer["success"] === true) continue;
      expect(answer).toMatchObject({ success: false, error: "store_full" });
      expect(answer["message"]).toMatch(/full/);
    }
    return added.filter(({ answer }) => answer["success"] === true);
  };
  const settle = () =>
    eventually(async () => {
      const { tasks } = await at.call("knowledge-status", {});
      expect(tasks).toEqual({ queued: 0, running: 0 });
    }, 200_000);
  const expectThere = async (added: readonly Added[]) => {
    const { documents } = await at.call("knowledge-show", { limit: 1000 });
    const ids = new Map(
      (documents as { id: string; filename: string }[]).map(({ id, filename }) => [filename, id]),
    );
    for (const { file, html } of added) {
      const url = new URL(`/api/documents/${ids.get(file)}/original`, server.url);
      const kept = await (await fetch(url)).text();
      expect(kept === html, file).toBe(true);
    }
  };

  test("a server that starts without space works once there is some, without a restart", async () => {
    expect(expectAnswered(await Promise.all([add(true), add(false), upload()]))).toEqual([]);
    disk?.empty();
    const added = expectAnswered([await add(true), await add(false), await upload()]);
    expect(added).toHaveLength(3);
    await settle();
    await expectThere(added);
    // The watched folder was refused its ledger and its document, and tries again by itself.
    await eventually(async () => {
      const status = await at.call("knowledge-status", {});
      expect(status).toMatchObject({ folders: [{ files: 1, refused: 0 }] });
    });
  });

  test("24 adds at once get 24 responses, and every acknowledged document is found", async () => {
    disk?.fill(12 * FILE_BYTES);
    const adds = Array.from({ length: 24 }, (_, n) => (n % 3 === 2 ? upload() : add(n % 3 === 0)));
    const outcomes = await Promise.all(adds);
    const added = expectAnswered(outcomes);
    expect(outcomes).toHaveLength(24);
    expect(added.length).toBeLessThan(24);
    disk?.empty();
    await settle();
    await expectThere(added);
  });

  test(`${FREE_KB.length} degrees of fullness lose nothing, and the database stays intact`, async () => {
    const added: Added[] = [];
    for (const freeKb of FREE_KB) {
      disk?.fill(freeKb * KB);
      added.push(...expectAnswered(await Promise.all([add(true), add(false), upload()])));
      expect(await at.call("knowledge-search", { query: "lighthouse" })).toMatchObject({
        success: true,
      });
      disk?.empty();
    }
    await settle();
    await expectThere(added);
    await at.close();
    await server.kill();
    const database = new DatabaseSync(join(path, "data", "knowledge.db"));
    expect(database.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    database.close();
    await open();
    await expectThere(added);
  });
});
