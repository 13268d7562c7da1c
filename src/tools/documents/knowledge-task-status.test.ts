import { expect, test } from "vitest";
import { toMessage } from "../../domain/phrases/messages.ts";
import { CLAIMED, estimateSeconds, type Task, WAITING } from "../../domain/task.ts";
import { toTaskPayload } from "./knowledge-task-status.ts";

const NOW = Date.parse("2026-01-01T00:00:10Z");
const task: Task = {
  id: "t",
  status: "queued",
  request: {
    contentHash: "h",
    filename: "a.txt",
    sizeBytes: 50_000_000,
    metadata: {},
    forceOcr: false,
  },
  progress: WAITING,
  createdAt: "2026-01-01T00:00:00Z",
  attempts: 0,
};

test("there is an estimate from the first poll on", () => {
  const expected = estimateSeconds(task.request, { ahead: 0, reader: "light" });
  expect(toTaskPayload(task, NOW)).toMatchObject({
    current_step: "Queued",
    step_codes: [{ code: "queued", values: [] }],
    total_steps: 20,
    estimated_remaining_seconds: expected,
  });
  const claimed = { ...task, status: "running", progress: CLAIMED } as const;
  const startedAt = "2026-01-01T00:00:05Z";
  const justNow = Date.parse(startedAt);
  expect(toTaskPayload({ ...claimed, startedAt }, justNow)).toMatchObject({
    current_step: "Reading",
    step_codes: [{ code: "reading", values: [] }],
    completed_steps: 0,
    total_steps: 20,
    estimated_remaining_seconds: expected,
  });
  const half = { ...CLAIMED, fraction: 0.5, completedSteps: 10 };
  expect(toTaskPayload({ ...claimed, progress: half, startedAt }, NOW)).toMatchObject({
    estimated_remaining_seconds: 5,
  });
});

test("a completed task has the warnings of its document", () => {
  const result = { documentId: "d", filename: "a.txt", chunksCreated: 1, alreadyPresent: false };
  const ended = { ...task, status: "completed", finishedAt: "2026-01-01T00:00:02Z" } as const;
  const warnings = [toMessage("pageWithoutText", 2)];
  expect(toTaskPayload({ ...ended, result: { ...result, warnings } })).toMatchObject({
    result: {
      document_id: "d",
      warnings: ["No text was found on page 2."],
      warning_codes: warnings,
    },
  });
  expect(toTaskPayload({ ...ended, result })).not.toHaveProperty("result.warnings");
});
