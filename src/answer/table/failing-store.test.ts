import { expect, test } from "vitest";
import { passage } from "../../../test/support/passages.ts";
import { answerFromPassages } from "../answer-from-passages.ts";

test("a store that fails while several documents are read fails one question, not the process", async () => {
  const table = (n: number) =>
    passage("| City | Open |\n| --- | --- |\n| Bergen | yes |", {
      documentId: `doc-${n}`,
      chunkId: `chunk-${n}`,
    });
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on("unhandledRejection", note);
  const documents = {
    get: async () => undefined,
    chunksOf: async () => [],
    extracted: async () => Promise.reject(new Error("store")),
  };
  const found = [table(1), table(2), table(3)];
  const asked = answerFromPassages(
    { query: "Is Bergen open?", found, maxResults: 4 },
    { documents },
  );
  await expect(asked).rejects.toThrow("store");
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});
