import { expect, test, vi } from "vitest";
import { eventually } from "../../../test/support/eventually.ts";
import { tempDocuments } from "../../../test/support/temp-documents.ts";

test("an unavailable model degrades the health", async () => {
  const at = await tempDocuments();
  at.embed.isUnavailable = true;
  const { health } = await at.call("knowledge-status", {});
  await at.dispose();
  expect(health).toMatchObject({
    status: "degraded",
    embedding_model_loaded: false,
    issues: [expect.stringContaining("Embedding model")],
    issue_codes: [{ code: "wordsOnly", values: [expect.any(String)] }],
  });
});

test("adds that wait behind slow files degrade the health, which names these files", async () => {
  const at = await tempDocuments();
  try {
    at.gate.shut();
    for (const name of ["slow-1.txt", "slow-2.txt", "waits.txt"]) {
      const path = await at.write(name, `${name} ${"and more words ".repeat(4_000)}`);
      await at.call("knowledge-add", { file_path: path });
    }
    await eventually(() => expect(at.gate.waiting).toBe(2));
    expect(await at.call("knowledge-status", {})).toMatchObject({
      health: { status: "healthy" },
      tasks: { queued: 1, running: 2 },
    });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 100_000 });
    const { health, tasks } = await at.call("knowledge-status", {});
    expect(tasks).toMatchObject({
      queued: 1,
      running: 2,
      blocked: {
        by: [{ filename: expect.stringMatching(/^slow/) }, { since: expect.any(String) }],
      },
    });
    expect(health).toMatchObject({
      status: "degraded",
      issues: [
        expect.stringMatching(
          /^Adds have waited for \d+ s: all workers are busy with slow-\d\.txt \(since .*Z\), slow-\d\.txt/,
        ),
      ],
    });
  } finally {
    vi.useRealTimers();
    await at.dispose();
  }
});
