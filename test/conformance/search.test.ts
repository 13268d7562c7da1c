// The read path on a real store, with a model that counts letters.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { KnowledgeError } from "../../src/domain/errors.ts";
import { openAnalyser, openSearch, type Search } from "../../src/search/search.ts";
import { toSynonyms } from "../../src/search/synonyms.ts";
import type { Store } from "../../src/store/store.ts";
import { letterEmbed } from "../support/plain-parts.ts";
import { sampleDocument } from "../support/sample-documents.ts";
import { silentLog } from "../support/silent-log.ts";
import { type TempStore, tempStore } from "../support/temp-store.ts";

const ROT = new Map([..."abcdefghijklmnopqrstuvwxyz"].map((each, at, all) => [each, all[25 - at]]));

describe("search", () => {
  const analyser = openAnalyser();
  const log = silentLog();
  let temporary: TempStore;
  let store: Store;
  let embed: ReturnType<typeof letterEmbed>;
  let search: Search;

  beforeEach(async () => {
    temporary = await tempStore();
    store = temporary.store;
    embed = letterEmbed();
    search = openSearch({ store: store.documents, embed, analyser, log });
  });
  afterEach(() => temporary.dispose());

  async function add(
    filename: string,
    texts: readonly string[],
    metadata = {},
    scope = "general",
  ): Promise<void> {
    const fingerprint = `${embed.fingerprint}+rest`;
    const { document, chunks } = sampleDocument(texts, { filename, metadata, fingerprint, scope });
    const vectors = await embed.passages(texts);
    const indexed = chunks.map((chunk, at) => {
      const vector = vectors[at];
      return { ...chunk, terms: analyser.terms(chunk.text), ...(vector && { vector }) };
    });
    await store.documents.put(document, indexed);
  }

  async function files(text: string, options = {}): Promise<string[]> {
    const { passages } = await search.search({ text, limit: 10, ...options });
    return passages.map(({ filename }) => filename);
  }

  test("a pasted text of unknown words is guessed in one call, and only in part", async () => {
    await add("ports.txt", ["The server listens on port 3000 by default."]);
    const guessed: number[] = [];
    const counting: typeof store.documents = {
      ...store.documents,
      similarTerms: (terms, limit) => {
        guessed.push(terms.length);
        return store.documents.similarTerms(terms, limit);
      },
    };
    const counted = openSearch({ store: counting, embed, analyser, log });
    const words = Array.from(
      { length: 60 },
      (_, at) => `unknown${String.fromCharCode(97 + (at % 26))}${at}`,
    );
    await counted.search({ text: words.join(" "), limit: 5 });
    expect(guessed).toEqual([8]);
    const { passages } = await counted.search({
      text: "which prot does the servre use?",
      limit: 5,
    });
    expect(guessed).toHaveLength(2);
    expect(passages[0]?.parts.lexicalRank).toBe(1);
  });

  describe("after a switch of the model", () => {
    /** Counts other letters, so that its vectors mean nothing to the first. */
    const reversed = (text: string) => [...text].map((each) => ROT.get(each) ?? each).join("");
    const next = () => {
      const port = letterEmbed();
      const query = (text: string) => port.query(reversed(text));
      const passages = (texts: readonly string[]) => port.passages(texts.map(reversed));
      return { ...port, fingerprint: "next", query, passages };
    };
    const first = async (port: Search, text: string) => {
      const { passages, mode } = await port.search({ text, limit: 1 });
      return [passages[0]?.filename, passages[0]?.parts.vectorRank, mode];
    };

    test("each document is found by the model that made its vectors", async () => {
      await add("old.txt", ["aaaa aaaa"]);
      const now = next();
      const { document, chunks } = sampleDocument(["eeee eeee"], {
        filename: "new.txt",
        fingerprint: "next+rest",
      });
      const [vector] = await now.passages(["eeee eeee"]);
      const indexed = chunks.map((chunk) => ({ ...chunk, terms: [], ...(vector && { vector }) }));
      await store.documents.put(document, indexed);
      const parts = { store: store.documents, embed: now, analyser, log };
      const both = openSearch({ ...parts, others: async () => [embed] });
      expect(await first(both, "aaa")).toEqual(["old.txt", 1, "hybrid"]);
      expect(await first(both, "eee")).toEqual(["new.txt", 1, "hybrid"]);
      // Without the old model, its document has no vector to be found by.
      expect(await first(openSearch(parts), "aaa")).not.toEqual(["old.txt", 1, "hybrid"]);
    });

    test("a new model that fails leaves what the old one finds", async () => {
      await add("old.txt", ["aaaa aaaa"]);
      const failed = () =>
        Promise.reject(new KnowledgeError("MODEL_UNAVAILABLE", "The model is damaged."));
      const broken = { ...next(), query: failed, passages: failed };
      const parts = { store: store.documents, embed: broken, analyser, log };
      const both = openSearch({ ...parts, others: async () => [embed] });
      expect(await first(both, "aaa")).toEqual(["old.txt", 1, "hybrid"]);
    });
  });

  test("a question that cannot be read fails its own call only, also while the model fails", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", note);
    const failing = openSearch({
      store: store.documents,
      embed: { ...embed, query: () => Promise.reject(new Error("no model")) },
      analyser: {
        ...analyser,
        terms: () => {
          throw new Error("no words");
        },
      },
      log,
    });
    await expect(failing.search({ text: "port", limit: 3 })).rejects.toThrow("no words");
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  });

  test("the passage with the question's words comes first, scored and citable", async () => {
    await add("ports.txt", ["The server listens on port 3000 by default.", "Logs go to stderr."]);
    await add("birds.txt", ["Penguins huddle in winter."]);
    const { passages, mode } = await search.search({ text: "default port of server", limit: 3 });
    const [first] = passages;
    expect(mode).toBe("hybrid");
    expect(first).toMatchObject({ filename: "ports.txt", ordinal: 0, place: { page: 1 } });
    expect(first?.parts.lexicalRank).toBe(1);
    const scores = passages.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(scores.every((score) => score > 0 && score < 1)).toBe(true);
    expect(scores.every((score) => String(score).length <= "0.1234".length)).toBe(true);
  });

  test("identifiers and error codes are found by their exact form", async () => {
    await add("a.txt", ["Set KNOWLEDGE_DATA_DIR before the start."]);
    await add("b.txt", ["Set the data folder in the directory settings."]);
    await add("c.txt", ["Fails with ERR-4711 when the disk is full."]);
    await add("d.txt", ["Fails with ERR-4712 when the disk is gone."]);
    expect((await files("KNOWLEDGE_DATA_DIR"))[0]).toBe("a.txt");
    expect((await files("ERR-4711"))[0]).toBe("c.txt");
    expect((await files("err4712"))[0]).toBe("d.txt");
  });

  test("a quoted phrase returns only passages that contain it as written", async () => {
    await add("a.txt", ["Connection reset by peer while reading."]);
    await add("b.txt", ["The peer will reset connections by reading them."]);
    await add("c.txt", ["Connections reset by peers are normal."]);
    expect(await files('what is "connection reset by peer"')).toEqual(["a.txt"]);
    expect(await files("“CONNECTION   reset”")).toEqual(["a.txt"]);
  });

  test("a quoted phrase that does not occur does not empty the result", async () => {
    await add("a.txt", ["Connection reset by peer while reading."]);
    expect(await files('"connection was reset" peer')).toEqual(["a.txt"]);
  });

  test("a verb with its particle finds the noun that is written as one word", async () => {
    await add("a.txt", ["A backup of the data folder is one file."]);
    await add("b.txt", ["The figures were taken back to back, on an idle machine, by one client."]);
    await add("c.txt", ["The login page asks for a token."]);
    embed.isUnavailable = true;
    expect((await files("how do I back up the data"))[0]).toBe("a.txt");
    expect((await files("where do I log in"))[0]).toBe("c.txt");
  });

  test("typos still find the intended word", async () => {
    await add("a.txt", ["Deployment of the gateway needs a certificate."]);
    await add("b.txt", ["Penguins huddle in winter."]);
    embed.isUnavailable = true;
    expect(await files("deploymnet certifcate")).toEqual(["a.txt"]);
  });

  test.each(["Herz", "the Herzo", "domes", "domesticatio"])(
    "an unfinished last word, '%s', matches as a prefix",
    async (text) => {
      await add("a.txt", ["Werner Herzog filmed the domestication of the reindeer."]);
      await add("b.txt", ["Penguins huddle in winter."]);
      embed.isUnavailable = true;
      expect(await files(text)).toEqual(["a.txt"]);
    },
  );

  test("a word followed by something is not a prefix", async () => {
    await add("a.txt", ["Werner Herzog filmed the domestication of the reindeer."]);
    embed.isUnavailable = true;
    expect(await files("Herz")).toEqual(["a.txt"]);
    expect(await files("Herz?")).toEqual([]);
    expect(await files("Herz ")).toEqual([]);
  });

  test("a Japanese word that the caller sees nowhere is searched by its spellings and synonyms", async () => {
    await add("form.txt", ["提出期限は金曜日です。"]);
    await add("move.txt", ["引っ越しの連絡をします。"]);
    embed.isUnavailable = true;
    expect(await files("締め切りはいつですか")).toEqual([]);
    const synonyms = async () =>
      toSynonyms("締め切り 締切\t提出期限\n引っ越し 引越\t\n連絡\t提出期限");
    const parts = { store: store.documents, embed, analyser, log };
    const found = async (text: string, sight: readonly string[]) => {
      const { passages } = await openSearch({ ...parts, synonyms }).search({
        ...{ text, sight, limit: 5 },
      });
      return passages.map(({ filename }) => filename);
    };
    expect(await found("締め切りはいつですか", ["general"])).toEqual(["form.txt"]);
    expect(await found("引越", ["general"])).toEqual(["move.txt"]);
    // A word that is there, and one beside words that are there, has no synonyms.
    expect(await found("連絡", ["general"])).toEqual(["move.txt"]);
    expect(await found("締切の連絡を引っ越しに", ["general"])).toEqual(["move.txt"]);
    // What others have neither hides a synonym nor is found.
    embed.isUnavailable = false;
    await add("secret.txt", ["締め切りは月曜日です。"], {}, "secret");
    embed.isUnavailable = true;
    expect(await found("締め切りはいつですか", ["general"])).toEqual(["form.txt"]);
    expect(await found("締め切りはいつですか", ["general", "secret"])).toEqual(["secret.txt"]);
    expect(await found("締め切りはいつですか", ["nowhere"])).toEqual([]);
  });

  test("without the model the words are searched, and the reason is reported", async () => {
    await add("a.txt", ["The server listens on port 3000."]);
    embed.isUnavailable = true;
    const outcome = await search.search({ text: "server port", limit: 5 });
    expect(outcome).toMatchObject({ mode: "lexical", reason: "The model is away." });
    expect(outcome.passages[0]?.filename).toBe("a.txt");
  });

  test("the same passage in two documents is shown once", async () => {
    const text =
      "The retention period of backups is ninety days, counted from the day they were made.";
    await add("v1.txt", [text]);
    await add("v2.txt", [`${text}\n`]);
    await add("other.txt", ["Backups are made every night."]);
    const found = await files("retention period of backups");
    expect(found).toHaveLength(2);
    expect(found).toContain("other.txt");
  });

  test("one document does not crowd out the others", async () => {
    const parts = [
      "gateway needs",
      "gateway asks for",
      "gateway wants",
      "gateway takes",
      "gateway",
    ];
    await add(
      "long.txt",
      parts.map((part, at) => `The ${part} a certificate, says section ${at}.`),
    );
    await add("short.txt", ["A certificate for the gateway is made by the tool called mint."]);
    const { passages } = await search.search({ text: "gateway certificate", limit: 3 });
    expect(passages.map(({ filename }) => filename)).toContain("short.txt");
    const scores = passages.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });

  test("filters apply to keyword and vector search", async () => {
    await add("a.txt", ["The server listens on port 3000."], { team: "red" });
    await add("b.txt", ["The server listens on port 3000, says blue."], { team: "blue" });
    const filter = { metadata: { team: ["blue"] } };
    expect(await files("server port", { filter })).toEqual(["b.txt"]);
  });

  test("passages below the minimum score are left out", async () => {
    await add("a.txt", ["The server listens on port 3000."]);
    await add("b.txt", ["zzz"]);
    const [best] = (await search.search({ text: "server port 3000", limit: 5 })).passages;
    const minScore = best?.score ?? 1;
    expect(await files("server port 3000", { minScore })).toEqual(["a.txt"]);
    expect(await files("server port 3000", { minScore: 1 })).toEqual([]);
  });

  test("Japanese questions find their passages", async () => {
    await add("a.txt", ["パスワードを忘れた場合は、再設定の画面を開いてください。"]);
    await add("b.txt", ["記事の投稿に失敗する場合は、画面を閉じてください。"]);
    expect((await files("パスワードの再設定"))[0]).toBe("a.txt");
    expect((await files("投稿できない記事"))[0]).toBe("b.txt");
  });

  test("queries without a word, or on an empty knowledge base, return an empty list", async () => {
    expect(await files("anything")).toEqual([]);
    await add("a.txt", ["The server listens."]);
    embed.isUnavailable = true;
    expect(await files("??? …")).toEqual([]);
  });

  test("a cancelled search rejects as cancelled", async () => {
    await add("a.txt", ["The server listens."]);
    const call = search.search({ text: "server", limit: 1 }, AbortSignal.abort());
    await expect(call).rejects.toMatchObject({ code: "CANCELLED" });
  });
});
