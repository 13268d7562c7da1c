import { expect, test } from "vitest";
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
  });
});
