// A process on a shared database: `server` queues documents, `worker` stores them. Tests kill it at random.
import { createHash, randomUUID } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openLog } from "../../../src/observe/log.ts";
import { openPostgres } from "../../../src/store/postgres/postgres.ts";
import type { Store } from "../../../src/store/store.ts";
import { sampleDocument } from "../../support/sample-documents.ts";
import { tempFolder } from "../../support/temp-folder.ts";

// Long enough for a put on a busy machine: a task that is claimed ten times is set aside.
const LEASE_MS = 5_000;
const [role, url, count] = process.argv.slice(2) as ["server" | "worker", string, string];
const log = openLog({ level: "error" });
const store = openPostgres({ url, log, retryForMs: 60_000 });

/** A line on stdout for each task that was acknowledged. */
async function serve({ originals, tasks }: Store, documents: number): Promise<void> {
  const folder = tempFolder("server-process");
  for (let number = 0; number < documents; number++) {
    const id = randomUUID();
    const text = `shared words of ${id}`;
    const contentHash = createHash("sha256").update(text).digest("hex");
    const path = join(folder, id);
    await writeFile(path, text);
    await originals.keep(contentHash, path);
    const filename = `${id}.txt`;
    const request = {
      contentHash,
      filename,
      sizeBytes: text.length,
      metadata: {},
      forceOcr: false,
    };
    await tasks.enqueue(id, request);
    process.stdout.write(`${id} ${contentHash}\n`);
  }
  await rm(folder, { recursive: true });
}

async function work({ documents, originals, tasks }: Store): Promise<never> {
  const worker = randomUUID();
  for (;;) {
    const task = await tasks.claim(worker, LEASE_MS).catch(() => undefined);
    if (!task) {
      await sleep(50);
      continue;
    }
    try {
      const { contentHash, filename } = task.request;
      const original = await originals.open(contentHash);
      const text = await readFile(original.path, "utf8");
      await original.release();
      await sleep(10);
      const sample = sampleDocument([text, `second part of ${filename}`], {
        contentHash,
        filename,
      });
      await documents.put(sample.document, sample.chunks, { taskId: task.id, worker });
    } catch (cause) {
      // The lease expires and the task is claimed again.
      log.warn("worker.failed", { cause });
    }
  }
}

if (role === "server") {
  await serve(store, Number(count));
  await store.close();
} else {
  await work(store);
}
