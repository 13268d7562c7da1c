// A file system that turns read-only in the middle of writes, as Linux does after an error on the disk: what was
// acknowledged before is there after a check of the disk, and reading goes on meanwhile. Needs root and a loop device.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type HttpServer, startHttp } from "../../test/support/spawned.ts";
import { tempFolder } from "../../test/support/temp-folder.ts";
import { callTool } from "../fuzz/load.ts";

const DISK_MB = 64;
const LANES = 6;

export interface ReadOnlyReport {
  readonly acknowledged: number;
  /** What was acknowledged and then failed, and says so. */
  readonly failed: readonly string[];
  /** The codes of the adds that were refused. */
  readonly refused: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
}

export async function turnReadOnly(afterMs: number): Promise<ReadOnlyReport> {
  const disk = openDisk();
  const root = tempFolder("files");
  const place = { dataDir: join(disk.path, "data"), root };
  const problems: string[] = [];
  const failed: string[] = [];
  const refused: Record<string, number> = {};
  /** Each file, and its task if it was queued. */
  const acknowledged = new Map<string, unknown>();
  let server = await startHttp(place);
  const add = async (name: string, isAsync: boolean) => {
    const file_path = join(root, name);
    writeFileSync(file_path, `The keeper of ${name} saw a ship.`);
    const { payload } = await callTool(server.url, "knowledge-add", { file_path, async: isAsync });
    if (payload["success"] === true) acknowledged.set(name, payload["task_id"]);
    else refused[String(payload["error"])] = (refused[String(payload["error"])] ?? 0) + 1;
    return payload;
  };
  try {
    await add("first.txt", false);
    const lanes = Array.from({ length: LANES }, async (_, lane) => {
      for (let n = 0; n < 12; n++) await add(`note-${lane}-${n}.txt`, n % 2 === 0);
    });
    await sleep(afterMs);
    disk.fail();
    await Promise.all(lanes);
    const last = await add("last.txt", false);
    if (last["success"] === true) problems.push("an add was acknowledged on a read-only disk");
    if (last["error"] === "internal_error") problems.push(`a raw error: ${last["message"]}`);
    const { payload } = await callTool(server.url, "knowledge-search", { query: "keeper" });
    if (payload["success"] !== true) problems.push(`no search: ${payload["message"]}`);
    await server.stop();
    disk.check();
    server = await startHttp(place);
    await settle(server);
    const there = await namesAt(server);
    for (const [name, task_id] of acknowledged) {
      if (there.has(name)) continue;
      const { payload: task } = await callTool(server.url, "knowledge-task-status", { task_id });
      if (task["status"] !== "failed") problems.push(`${name} is lost: ${JSON.stringify(task)}`);
      else failed.push(`${name}: ${JSON.stringify(task["error"] ?? task)}`);
    }
    const { success } = await add("after.txt", false);
    if (success !== true) problems.push("nothing can be added once the disk is back");
  } finally {
    await server.kill();
    disk.dispose();
  }
  return { acknowledged: acknowledged.size, failed, refused, problems };
}

function openDisk() {
  const path = tempFolder("disk");
  const image = `${path}.img`;
  const run = (name: string, ...args: string[]) =>
    execFileSync(name, args, { encoding: "utf8", stdio: "pipe" });
  run("truncate", "-s", `${DISK_MB}M`, image);
  run("mkfs.ext4", "-q", image);
  const mount = () => run("mount", "-o", "loop,errors=remount-ro", image, path);
  mount();
  mkdirSync(join(path, "data"));
  return {
    path,
    fail() {
      const device = basename(run("findmnt", "-n", "-o", "SOURCE", path).trim());
      writeFileSync(`/sys/fs/ext4/${device}/trigger_fs_error`, "an error on purpose");
    },
    check() {
      run("umount", path);
      // Its exit code says that it has corrected something.
      spawnSync("e2fsck", ["-fy", image]);
      mount();
      if (readdirSync(path).length === 0) throw new Error("the disk is empty");
    },
    dispose() {
      spawnSync("umount", ["-l", path]);
      rmSync(image, { force: true });
    },
  };
}

async function settle(server: HttpServer): Promise<void> {
  for (;;) {
    const { payload } = await callTool(server.url, "knowledge-status", {});
    const { queued, running } = (payload["tasks"] ?? {}) as Record<string, number>;
    if (queued === 0 && running === 0) return;
    await sleep(200);
  }
}

async function namesAt(server: HttpServer): Promise<ReadonlySet<string>> {
  const { payload } = await callTool(server.url, "knowledge-show", { limit: 1_000 });
  return new Set((payload["documents"] as { filename: string }[]).map((each) => each.filename));
}
