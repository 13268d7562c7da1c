// Reranking by a real cross-encoder in its thread and by a local endpoint, alone and in a search.

import { rm, writeFile } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openEndpointRerank } from "../../src/rerank/endpoint.ts";
import { openLocalRerank } from "../../src/rerank/local.ts";
import type { Rerank } from "../../src/rerank/rerank.ts";
import { openAnalyser, openSearch } from "../../src/search/search.ts";
import { letterEmbed } from "../support/plain-parts.ts";
import { sampleDocument } from "../support/sample-documents.ts";
import { shippedUrl } from "../support/shipped.ts";
import { silentLog } from "../support/silent-log.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { type TempStore, tempStore } from "../support/temp-store.ts";
import { writeTinyCrossEncoder } from "../support/tiny-models.ts";

const log = silentLog();
const WORKER = shippedUrl("embed/onnx/worker");
const never = () => new AbortController().signal;
const PASSAGES = ["green tea is hot", "black coffee", "tea tea tea", "plain water"];

describe("a cross-encoder in a folder", () => {
  let folder: string;
  let opened: Rerank[] = [];
  const open = (modelDir: string, options: { idleMs?: number } = {}) => {
    const rerank = openLocalRerank({
      modelDir,
      workerUrl: WORKER,
      timeoutMs: 60_000,
      idleMs: 60_000,
      log,
      ...options,
    });
    opened.push(rerank);
    return rerank;
  };
  beforeAll(async () => {
    folder = tempFolder("rerank");
    await writeTinyCrossEncoder(folder, { tea: 2, coffee: -1, hot: 0.5, what: 7 });
  });
  afterEach(async () => {
    for (const rerank of opened) await rerank.close();
    opened = [];
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test("scores each pair by its own weights, in the order given", async () => {
    const scores = await open(folder).scores("what", PASSAGES, never());
    expect(scores).toEqual([9.5, 6, 13, 7]);
  });

  test("a passage beyond its window is truncated, not refused", async () => {
    const [long] = await open(folder).scores("what", ["tea ".repeat(500)], never());
    // 64 tokens: the first mark, the question, a mark, 60 of the passage, the last mark.
    expect(long).toBe(7 + 2 * 60);
  });

  test("works again after it was idle", async () => {
    const rerank = open(folder, { idleMs: 0 });
    for (const _ of Array(5)) {
      expect(await rerank.scores("what", PASSAGES, never())).toEqual([9.5, 6, 13, 7]);
    }
  });

  test("a cancelled call ends, and the next query is scored", async () => {
    const rerank = open(folder);
    const stop = new AbortController();
    const cancelled = rerank.scores("what", PASSAGES, stop.signal);
    stop.abort();
    await expect(cancelled).rejects.toMatchObject({ code: "MODEL_UNAVAILABLE" });
    expect(await rerank.scores("what", ["tea"], never())).toEqual([9]);
  });

  test.each(["config.json", "tokenizer.json", "onnx/model.onnx"])(
    "a damaged %s is reported without its path",
    async (name) => {
      const broken = tempFolder("rerank");
      await writeTinyCrossEncoder(broken, { tea: 2 });
      await writeFile(join(broken, name), "{");
      const failure = await open(broken)
        .scores("what", PASSAGES, never())
        .catch((error: Error) => error);
      expect(failure).toMatchObject({ code: "MODEL_UNAVAILABLE" });
      expect((failure as Error).message).not.toContain(broken);
      await rm(broken, { recursive: true });
    },
  );
});

type Reply = (body: Record<string, unknown>, response: ServerResponse) => void;

const texts = (body: Record<string, unknown>) => (body["documents"] ?? body["texts"]) as string[];
const json = (response: ServerResponse, value: unknown, status = 200) =>
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
const byLength: Reply = (body, response) => {
  const results = texts(body).map((text, index) => ({ index, relevance_score: text.length }));
  json(response, { results: results.toReversed() });
};

describe("a rerank endpoint", () => {
  let server: Server;
  let reply: Reply;
  let asked: { readonly path: string; readonly key: string; readonly body: object }[] = [];
  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const body = JSON.parse(Buffer.concat(parts).toString());
      asked.push({ path: request.url ?? "", key: request.headers.authorization ?? "", body });
      reply(body, response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterEach(() => {
    asked = [];
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const open = (path = "/v1", timeoutMs = 60_000) =>
    openEndpointRerank({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
      model: "m",
      key: "k",
      timeoutMs,
    });

  test("is called in Cohere's format with model and key, and may reply in any order", async () => {
    reply = byLength;
    expect(await open().scores("q", PASSAGES, never())).toEqual(PASSAGES.map((p) => p.length));
    const body = { model: "m", query: "q", documents: PASSAGES, top_n: 4, return_documents: false };
    expect(asked).toEqual([{ path: "/v1/rerank", key: "Bearer k", body }]);
  });

  test("that expects `texts` instead of `documents` gets that from then on", async () => {
    reply = (body, response) => {
      const scores = texts(body).map((text, index) => ({ index, score: text.length }));
      if (body["texts"]) json(response, scores);
      else json(response, { error: "missing field `texts`" }, 422);
    };
    const rerank = open("/rerank");
    for (const _ of [1, 2]) {
      expect(await rerank.scores("q", PASSAGES, never())).toEqual(PASSAGES.map((p) => p.length));
    }
    expect(asked.map(({ path }) => path)).toEqual(["/rerank", "/rerank", "/rerank"]);
  });

  const broken: Readonly<Record<string, Reply>> = {
    fails: (_, response) => json(response, { error: "secret document text" }, 500),
    "says no": (_, response) => json(response, {}, 401),
    "sends no JSON": (_, response) => response.end("<html>"),
    "sends nothing": (_, response) => response.end(),
    "breaks off": (_, response) => {
      response.writeHead(200, { "content-length": "1000" }).write("{");
      response.destroy();
    },
    "leaves one out": (_, response) => json(response, { results: [{ index: 0, score: 1 }] }),
    "repeats one": (body, response) =>
      json(response, { results: texts(body).map(() => ({ index: 0, relevance_score: 1 })) }),
    "counts from one": (body, response) =>
      json(response, { results: texts(body).map((_, at) => ({ index: at + 1, score: 1 })) }),
    "scores by words": (body, response) =>
      json(response, { results: texts(body).map((_, index) => ({ index, score: "high" })) }),
    "sends null": (_, response) => json(response, null),
    "sends a list of nulls": (body, response) =>
      json(
        response,
        texts(body).map(() => null),
      ),
    "names odd places": (_, response) =>
      json(response, {
        results: [
          { index: "__proto__", score: 1 },
          { index: -1, score: 1 },
        ],
      }),
    "never stops": (_, response) => {
      const more = () => {
        while (!response.destroyed && response.write("9".repeat(65_536)));
        if (!response.destroyed) response.once("drain", more);
      };
      response.on("error", () => {});
      more();
    },
    "sends elsewhere": (_, response) => response.writeHead(307, { location: "/other" }).end(),
  };
  test.each(Object.keys(broken))(
    "that %s is reported as unavailable without its own text",
    async (name) => {
      reply = broken[name] as Reply;
      const failure = await open()
        .scores("q", PASSAGES, never())
        .catch((error: Error) => error);
      expect(failure).toMatchObject({ code: "MODEL_UNAVAILABLE" });
      expect((failure as Error).message).not.toMatch(/secret|html/);
      expect(asked.every(({ path }) => path === "/v1/rerank")).toBe(true);
    },
  );

  describe("in a search", () => {
    let temporary: TempStore;
    const analyser = openAnalyser();
    const embed = letterEmbed();
    beforeAll(async () => {
      temporary = await tempStore();
      for (const [at, text] of PASSAGES.entries()) {
        const { document, chunks } = sampleDocument([text], { filename: `${at}.txt` });
        const [vector] = await embed.passages([text]);
        const indexed = chunks.map((chunk) => ({
          ...chunk,
          terms: analyser.terms(chunk.text),
          ...(vector && { vector }),
        }));
        await temporary.store.documents.put(document, indexed);
      }
    });
    afterAll(() => temporary.dispose());
    const searchWith = (rerank?: Rerank, signal?: AbortSignal) => {
      const parts = { store: temporary.store.documents, embed, analyser, log };
      const search = openSearch({ ...parts, ...(rerank && { rerank }) });
      return search.search({ text: "tea", limit: 10 }, signal);
    };

    test("its order is used, and scores still decrease", async () => {
      reply = byLength;
      const { passages } = await searchWith(open());
      const lengths = passages.map(({ text }) => text.length);
      expect(lengths).toEqual(lengths.toSorted((a, b) => b - a));
      const scores = passages.map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    });

    test.each(["fails", "leaves one out", "hangs"])("that %s leaves the order", async (name) => {
      reply = broken[name] ?? (() => {});
      const { passages } = await searchWith(open("/v1", name === "hangs" ? 50 : 60_000));
      expect(passages).toEqual((await searchWith()).passages);
    });

    test("a search can be cancelled meanwhile", async () => {
      const stop = new AbortController();
      reply = () => stop.abort();
      await expect(searchWith(open(), stop.signal)).rejects.toMatchObject({ code: "CANCELLED" });
    });
  });
});
