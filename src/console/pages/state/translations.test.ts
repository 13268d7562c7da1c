import { describe, expect, test } from "vitest";
import { ERRORS } from "../../../domain/errors.ts";
import { FILE_FAILURES } from "../../../domain/phrases/file-failures.ts";
import { NOTICES } from "../../../domain/phrases/notices.ts";
import { STEPS } from "../../../domain/phrases/steps.ts";
import { WARNINGS } from "../../../domain/phrases/warnings.ts";
import { speech } from "./language.ts";
import { CallFailed } from "./mcp.ts";
import { AREAS, WORDS, type Word } from "./translations.ts";
import { FAILURES_JA } from "./words/server/failures.ts";
import { FILE_FAILURES_JA } from "./words/server/file-failures.ts";
import { NOTICES_JA, STEPS_JA, WARNINGS_JA } from "./words/server/phrases.ts";
import { TOOLS_JA } from "./words/server/tools.ts";

const { explain, sayNotice, sayStep, sayTool, sayWarning } = speech("ja");
const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;
/**
 * Names and signs that are the same in Japanese; the button that switches to English is labelled in
 * English.
 */
const SAME_IN_JAPANESE: ReadonlySet<Word> = new Set(["byOcr", "language"]);

const places = (text: string) =>
  [...new Set([...text.matchAll(/\{(\w+)(?:\|[^}]*)?\}/g)].map(([, name]) => name))].toSorted();

describe("every text", () => {
  test.each(Object.keys(WORDS.en) as Word[])(
    "%s is in both languages, with the same values",
    (word) => {
      expect(places(WORDS.ja[word])).toEqual(places(WORDS.en[word]));
      const isMeant =
        SAME_IN_JAPANESE.has(word) || !/\p{L}/u.test(WORDS.ja[word].replace(/\{[^}]*\}/g, ""));
      expect(JAPANESE.test(WORDS.ja[word]) || isMeant).toBe(true);
    },
  );

  test("no two areas use one key", () => {
    const keys = AREAS.flatMap((area) => Object.keys(area.en));
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  });

  test("no text is in one language only", () => {
    expect(Object.keys(WORDS.ja).toSorted()).toEqual(Object.keys(WORDS.en).toSorted());
  });

  test("Japanese sentences end as Japanese sentences do", () => {
    const texts = [...Object.values(WORDS.ja), ...Object.values(FAILURES_JA)];
    const odd = texts.filter((text) => /[ぁ-んァ-ヶ一-龠][.,!]|[.,]$/u.test(text));
    expect(odd).toEqual([]);
  });
});

describe("every failure", () => {
  const codes = Object.keys(ERRORS).map((code) => code.toLowerCase());

  test.each(codes)("%s has a Japanese text, with and without its details", (error) => {
    const bare = explain(new CallFailed("The server's sentence.", { error }));
    expect(bare).toMatch(JAPANESE);
    expect(bare).not.toMatch(/[{}[\]]|server's/);
    const details = { parameter: "path", max_size_mb: 100, scope_id: "shop", keyword: "tabs" };
    const more = { suggestions: ["shops"], children: ["web", "app"], retry_after_seconds: 60 };
    const full = explain(new CallFailed("", { error, ...details, ...more }));
    expect(full).not.toMatch(/[{}[\]]|undefined/);
  });

  test("every Japanese text is for a code that the server has", () => {
    expect(Object.keys(FAILURES_JA).toSorted()).toEqual(codes.toSorted());
  });

  test("details are filled in", () => {
    const large = new CallFailed("too large", { error: "file_too_large", max_size_mb: 1_024 });
    expect(explain(large)).toContain("(上限 1,024 MB)");
    const parent = { error: "scope_has_children", scope_id: "shop", children: ["web", "app"] };
    expect(explain(new CallFailed("", parent))).toContain("「shop」には子スコープ(web、app)");
  });

  test.each(["ValidationError", "AuthenticationError", "NotFoundError", "ServiceError"])(
    "an answer's %s has a Japanese text",
    (error_type) => {
      expect(explain(new CallFailed("", { error: true, error_type }))).toMatch(JAPANESE);
    },
  );

  test("a missing page and a missing server have their own texts", () => {
    const gone = new CallFailed("", { error: "invalid_params", uri: "knowledge://documents/x" });
    expect(explain(gone)).toBe(FAILURES_JA.resource_not_found);
    expect(explain(new TypeError("Failed to fetch"))).toBe(WORDS.ja.unreachable);
    expect(speech("en").explain(gone)).toMatch(/^This was not found\./);
  });

  test.each(Object.entries(FILE_FAILURES))("the reason %s has a Japanese text", (name, words) => {
    const text = FILE_FAILURES_JA[name as keyof typeof FILE_FAILURES];
    expect(places(text)).toEqual(places(words));
    expect(text).toMatch(JAPANESE);
    expect(explain(new CallFailed(words, { error: "corrupt_file" }))).toBe(text);
    expect(speech("en").explain(new CallFailed(words, { error: "corrupt_file" }))).toBe(words);
  });

  test("parts that the server fills in are in Japanese too", () => {
    const words = FILE_FAILURES.pdfDamaged.replace("{0}", ": its end is missing");
    expect(explain(new CallFailed(words, { error: "corrupt_file" }))).toMatch(
      /^PDF が壊れていて\(末尾が欠けています\)、/,
    );
  });

  test("an unknown code keeps the server's sentence, and so does English", () => {
    expect(explain(new CallFailed("Too hot.", { error: "too_hot" }))).toBe("Too hot.");
    expect(explain(new CallFailed("Odd.", { error: "constructor" }))).toBe("Odd.");
    expect(speech("en").explain(new CallFailed("Gone.", { error: "internal" }))).toBe("Gone.");
  });
});

describe("a tool", () => {
  const tool = { name: "knowledge-show", description: "List all documents." };

  test("is described in the language of the page", () => {
    expect(sayTool(tool)).toBe(TOOLS_JA[tool.name]);
    expect(speech("en").sayTool(tool)).toBe(tool.description);
  });

  test("that has no Japanese text keeps the server's sentence", () => {
    expect(sayTool({ name: "constructor", description: "Odd." })).toBe("Odd.");
  });
});

describe("every step", () => {
  test.each(Object.entries(STEPS))("%s has a Japanese text", (step, words) => {
    const text = STEPS_JA[step as keyof typeof STEPS];
    expect(places(text)).toEqual(places(words));
    expect(sayStep(words)).toMatch(JAPANESE);
  });

  test("a file among many is named with its own step", () => {
    expect(sayStep("3 of 12 files · notes.md · Processing page 2 of 9")).toBe(
      "12 件中 3 件目 · notes.md · 9 ページ中 2 ページ目を処理しています",
    );
    expect(sayStep("Polishing")).toBe("Polishing");
    expect(speech("en").sayStep("Indexing")).toBe("Indexing");
  });
});

describe("every notice", () => {
  test.each(Object.entries(NOTICES))("%s has a Japanese text", (name, words) => {
    const text = NOTICES_JA[name as keyof typeof NOTICES];
    expect(places(words)).toEqual(expect.arrayContaining(places(text)));
    expect(sayNotice(words)).toBe(text);
    expect(text).toMatch(JAPANESE);
  });

  test("the page's own fields are named, not flags", () => {
    expect(speech("en").sayNotice(NOTICES.leftOut)).not.toContain("--");
    expect(speech("en").sayNotice("Odd.")).toBe("Odd.");
  });
});

describe("every note of a reader", () => {
  test.each(Object.entries(WARNINGS))("%s has a Japanese text", (name, words) => {
    const text = WARNINGS_JA[name as keyof typeof WARNINGS];
    expect(places(words)).toEqual(expect.arrayContaining(places(text)));
    expect(sayWarning(words)).toBe(text);
    expect(text).toMatch(JAPANESE);
    expect(speech("en").sayWarning(words)).toBe(words);
  });

  test("notes of an earlier version have a Japanese text too", () => {
    expect(sayWarning("Page 3 gave no text.")).toBe(
      "3 ページからはテキストが見つかりませんでした。",
    );
  });
});
