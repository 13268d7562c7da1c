// Queries in one language find documents in another: the real model, the shipped table, the ingest path, both stores.
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { openEmbed } from "../../src/embed/embed.ts";
import { openSearch, type Search } from "../../src/search/search.ts";
import { openAnalyser } from "../../src/text/analyse.ts";
import type { LetterEmbed } from "../support/plain-parts.ts";
import { shippedUrl } from "../support/shipped.ts";
import { silentLog } from "../support/silent-log.ts";
import { type TempIngest, tempIngest } from "../support/temp-ingest.ts";
import { tempBase, tempDatabase } from "../support/temp-postgres.ts";
import { tempStore } from "../support/temp-store.ts";

const ROOT = join(import.meta.dirname, "../..");
const never = new AbortController().signal;
const log = silentLog();

const FILES = {
  "password.md": "# Accounts\n\nIf you forgot your password, reset it on the login page.",
  "印刷.md": "# 印刷\n\nプリンターに紙がないときは、用紙を補給してください。",
  "speicher.md": "# Festplatte\n\nWenn der Speicherplatz voll ist, löschen Sie alte Dateien.",
  "ja-rpo-rto.md": "# Recovery\n\nHow much may be lost, and how long may it take.",
  "whales.md": "# Whales\n\nWhales breathe through a hole on top of their heads.",
};

const QUESTIONS: readonly (readonly [string, keyof typeof FILES])[] = [
  ["パスワードを忘れました", "password.md"],
  ["Passwort vergessen", "password.md"],
  ["printer out of paper", "印刷.md"],
  ["ディスクの空き容量が足りない", "speicher.md"],
  ["free space on the disk", "speicher.md"],
  ["login ページのパスワード", "password.md"],
  ["ja-rpo-rto", "ja-rpo-rto.md"],
];

const database = await tempDatabase();
afterAll(() => database?.drop());

const STORES = { sqlite: tempStore, postgres: () => tempBase(database) };

function openBoth(modelDir: string): LetterEmbed {
  const embed = openEmbed({
    kind: "local",
    modelDir,
    lightDir: join(ROOT, "models/light"),
    workerUrl: shippedUrl("embed/onnx/worker"),
    workers: 1,
    idleMs: 60_000,
    log,
  });
  return Object.assign(embed, { isUnavailable: false, read: [] });
}

describe.each(["sqlite", "postgres"] as const)("on %s", (kind) => {
  describe.skipIf(kind === "postgres" && !database).each([
    ["refined by the model", join(ROOT, "models/all-MiniLM-L6-v2"), "before"],
    ["right after an add", join(ROOT, "models/all-MiniLM-L6-v2"), "after"],
    ["without the model", join(ROOT, "models/nowhere"), "after"],
  ] as const)("%s", (_, modelDir, refine) => {
    let at: TempIngest;
    let embed: LetterEmbed;
    let search: Search;
    beforeEach(async () => {
      embed = openBoth(modelDir);
      at = await tempIngest({ temp: await STORES[kind](), embed, refine });
      search = openSearch({ store: at.store.documents, embed, analyser: openAnalyser(), log });
      for (const [name, text] of Object.entries(FILES)) {
        const source = { kind: "file", path: await at.write(name, text) } as const;
        const options = { metadata: {}, forceOcr: false, signal: never };
        const { task } = await at.ingest.enqueue(source, options);
        expect((await at.ingest.finish(task.id, { signal: never })).status).toBe("completed");
      }
    });
    afterEach(async () => {
      await at.dispose();
      await embed.close();
    });

    test("a query in one language finds a document in another, and a file name finds its file", async () => {
      for (const [text, filename] of QUESTIONS) {
        const { passages, mode } = await search.search({ text, limit: 3 });
        expect([text, mode, passages[0]?.filename]).toEqual([text, "hybrid", filename]);
      }
    });
  });
});
