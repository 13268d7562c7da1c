// The server is killed at each step of an add, by name; the next one finishes the task, once.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Connected, connectTo, type ServerPlace, startHttp } from "../support/spawned.ts";

// Long enough that every stage is seen at work.
const PARAGRAPHS = 60;
const FRACTIONS = [0, 0.05, 0.3, 0.5, 0.7, 0.9] as const;

let place: ServerPlace;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "kill-steps-"));
  place = { dataDir: join(folder, "data"), root: join(folder, "files") };
  await mkdir(place.root);
});
afterAll(() => rm(join(place.dataDir, ".."), { recursive: true, force: true }));

test("an add that is killed at any step is finished by the next server, once", async () => {
  const tasks: string[] = [];
  const seen = new Set<string>();
  for (const [number, fraction] of FRACTIONS.entries()) {
    const path = join(place.root, `report-${number}.md`);
    await writeFile(path, report(number));
    const server = await startHttp(place);
    const at = await connectTo("http", server.url);
    const { task_id } = await at.call("knowledge-add", { file_path: path, async: true });
    tasks.push(String(task_id));
    seen.add(await stepAt(at, String(task_id), fraction));
    await server.kill();
    await at.close().catch(() => {});
  }
  expect(seen.size).toBeGreaterThan(2);

  const server = await startHttp(place);
  const at = await connectTo("http", server.url);
  try {
    for (const task_id of tasks) {
      await vi.waitFor(
        async () => {
          const status = await at.call("knowledge-task-status", { task_id });
          expect(status).toMatchObject({ status: "completed" });
        },
        { timeout: 60_000, interval: 200 },
      );
    }
    const { documents } = await at.call("knowledge-show", { limit: 100 });
    const names = (documents as { filename: string }[]).map(({ filename }) => filename);
    expect(names.toSorted()).toEqual(FRACTIONS.map((_, number) => `report-${number}.md`));
    const { results } = await at.call("knowledge-search", { query: "harbour number5", top_k: 1 });
    expect(results).toMatchObject([{ filename: "report-5.md" }]);
  } finally {
    await at.close();
    await server.stop();
  }
});

/** The step's name when the task has come so far, or has ended before it was seen there. */
async function stepAt(at: Connected, taskId: string, fraction: number): Promise<string> {
  for (;;) {
    const { status, progress, current_step } = await at.call("knowledge-task-status", {
      task_id: taskId,
    });
    const done = status === "completed" || status === "failed";
    const enough = fraction === 0 || (status === "running" && Number(progress) >= fraction);
    if (done || enough) return `${status} ${String(current_step).replace(/\d+/g, "n")}`;
  }
}

function report(number: number): string {
  const lines = Array.from(
    { length: PARAGRAPHS },
    (_, line) =>
      `## Part ${line}\n\nParagraph ${line}: the harbour number${number} at tide ${line}.`,
  );
  return `# Report ${number}\n\n${lines.join("\n\n")}`;
}
