// A data folder with documents, queued tasks and rules.
import { mkdirSync } from "node:fs";
import { addWithOriginal, keepText } from "./aged-folder.ts";
import { openStoreHere } from "./temp-store.ts";

const BIRDS = { year: 2025, tags: ["birds"] };
const WATER = { project: "water", nested: { page: 1 } };

export async function fillFolder(dataDir: string): Promise<void> {
  mkdirSync(dataDir, { recursive: true });
  const store = openStoreHere(dataDir);
  try {
    await addWithOriginal(store, dataDir, "the heron waits by the river", {
      filename: "herons.md",
      metadata: BIRDS,
    });
    await addWithOriginal(store, dataDir, "a kingfisher dives", {
      filename: "kingfisher.txt",
      metadata: BIRDS,
    });
    await addWithOriginal(store, dataDir, "name,length\nElbe,1094", { filename: "rivers.csv" });
    for (const filename of ["waiting.txt", "scan.md"]) {
      const contentHash = await keepText(store, dataDir, `text of ${filename}`);
      const request = { contentHash, filename, sizeBytes: 9, metadata: WATER, forceOcr: false };
      await store.tasks.enqueue(filename, request);
    }
    await store.scopes.apply([
      { kind: "put-scope", scope: { id: "company", tier: "GENERAL" } },
      { kind: "put-scope", scope: { id: "shop", tier: "PROJECT", parent: "company" } },
      {
        kind: "put-entry",
        scope: "shop",
        category: "git",
        keyword: "commit",
        content: "Name the ticket.",
      },
    ]);
  } finally {
    await store.close();
  }
}
