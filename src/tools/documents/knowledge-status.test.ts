import { expect, test } from "vitest";
import { tempDocuments } from "../../../test/support/temp-documents.ts";

test("a model that is unavailable degrades it", async () => {
  const at = await tempDocuments();
  at.embed.isUnavailable = true;
  const { health } = await at.call("knowledge-status", {});
  await at.dispose();
  expect(health).toMatchObject({
    status: "degraded",
    embedding_model_loaded: false,
    issues: [expect.stringContaining("Embedding model")],
  });
});
