import { describe, expect, test } from "vitest";
import { type Task, WAITING } from "../../domain/task.ts";
import { findBlocked } from "./queue-state.ts";

const NOW = Date.parse("2030-01-01T00:10:00Z");
const ago = (seconds: number) => new Date(NOW - seconds * 1_000).toISOString();

interface Made {
  readonly waits?: number;
  readonly runs?: number;
  readonly sizeBytes?: number;
  readonly many?: "folder";
}

function task(filename: string, { waits = 600, runs, sizeBytes = 5_000_000, many }: Made): Task {
  const file = { contentHash: "", filename, sizeBytes, metadata: {}, forceOcr: false };
  const request = { ...file, ...(many && { many }) };
  const started = runs === undefined ? {} : { startedAt: ago(runs) };
  const status = runs === undefined ? "queued" : "running";
  const rest = { progress: WAITING, createdAt: ago(waits), attempts: 0 };
  return { id: filename, status, request, ...rest, ...started };
}

describe("the queue is blocked", () => {
  test("when an add waits for long and every worker has been busy for long", () => {
    const open = [
      task("b.pdf", { runs: 90 }),
      task("a.pdf", { runs: 300 }),
      task("c.md", { waits: 200 }),
    ];
    expect(findBlocked(open, NOW)).toEqual({
      waitedMs: 90_000,
      by: [
        { filename: "a.pdf", since: ago(300) },
        { filename: "b.pdf", since: ago(90) },
      ],
    });
  });

  test.each<readonly [string, readonly Task[]]>([
    ["nothing waits", [task("a.pdf", { runs: 300 })]],
    ["it waits for a moment", [task("a.pdf", { runs: 300 }), task("c.md", { waits: 3 })]],
    ["a worker began another file", [task("a.pdf", { runs: 300 }), task("b.pdf", { runs: 2 })]],
    ["only a folder is added", [task("a", { runs: 300, many: "folder" }), task("c.md", {})]],
    ["nobody works", [task("c.md", {})]],
  ])("not when %s", (_why, open) => {
    expect(findBlocked(open, NOW)).toBeUndefined();
  });

  test("also while small files pass", () => {
    const open = [
      task("a.pdf", { runs: 300 }),
      task("note.md", { runs: 0, sizeBytes: 20 }),
      task("c.pdf", {}),
    ];
    expect(findBlocked(open, NOW)?.by).toEqual([{ filename: "a.pdf", since: ago(300) }]);
  });
});
