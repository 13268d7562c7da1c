import { describe, expect, test } from "vitest";
import { ERRORS } from "../../../domain/errors.ts";
import { ENGLISH } from "../../../domain/phrases/english.ts";
import { FAILURES_JA } from "../../../domain/phrases/failures-ja.ts";
import { JAPANESE as MESSAGES_JA } from "../../../domain/phrases/japanese.ts";
import type { MessageCode } from "../../../domain/phrases/messages.ts";
import { i18n } from "./language.ts";
import { CallFailed } from "./mcp.ts";
import { AREAS, type MessageKey, textOf } from "./translations.ts";
import { TOOLS_JA } from "./words/tools.ts";

const { explain, sayMessage, sayStep, sayTool } = i18n("ja");
const KEYS = AREAS.flatMap((area) => Object.keys(area));
const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;
/**
 * Names and signs that are the same in Japanese; the button that switches to English is labelled in
 * English.
 */
const SAME_IN_JAPANESE: ReadonlySet<MessageKey> = new Set(["language"]);

const places = (text: string) =>
  [...new Set([...text.matchAll(/\{(\w+)(?:\|[^}]*)?\}/g)].map(([, name]) => name))].toSorted();

describe("every text", () => {
  test.each(KEYS as MessageKey[])("%s is in both languages, with the same values", (key) => {
    const text = textOf(key, "ja");
    expect(places(text)).toEqual(places(textOf(key, "en")));
    const isMeant = SAME_IN_JAPANESE.has(key) || !/\p{L}/u.test(text.replace(/\{[^}]*\}/g, ""));
    expect(JAPANESE.test(text) || isMeant).toBe(true);
  });

  test("no two areas use one key", () => {
    expect(KEYS.filter((key, at) => KEYS.indexOf(key) !== at)).toEqual([]);
  });

  test("Japanese sentences end as Japanese sentences do", () => {
    const texts = [
      ...KEYS.map((key) => textOf(key as MessageKey, "ja")),
      ...Object.values(FAILURES_JA),
    ];
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
    expect(explain(new TypeError("Failed to fetch"))).toBe(textOf("unreachable", "ja"));
    expect(i18n("en").explain(gone)).toMatch(/^This was not found\./);
  });

  test("a reason with a code has its own text", () => {
    const reason = { code: "tooSlowForSize", values: ["30"] };
    const failure = new CallFailed("Slow.", { error: "extraction_timeout", reason });
    expect(explain(failure)).toBe(sayMessage(reason));
    expect(i18n("en").explain(failure)).toBe("Slow.");
  });

  test("an unknown code keeps the server's sentence, and so does English", () => {
    expect(explain(new CallFailed("Too hot.", { error: "too_hot" }))).toBe("Too hot.");
    expect(explain(new CallFailed("Odd.", { error: "constructor" }))).toBe("Odd.");
    expect(i18n("en").explain(new CallFailed("Gone.", { error: "internal" }))).toBe("Gone.");
  });
});

describe("a tool", () => {
  const tool = { name: "knowledge-show", description: "List all documents." };

  test("is described in the language of the page", () => {
    expect(sayTool(tool)).toBe(TOOLS_JA.get(tool.name));
    expect(i18n("en").sayTool(tool)).toBe(tool.description);
  });

  test("that has no Japanese text keeps the server's sentence", () => {
    expect(sayTool({ name: "constructor", description: "Odd." })).toBe("Odd.");
  });
});

test("a file among many is named with its own step", () => {
  const steps = [
    { code: "file", values: ["3", "12", "notes.md"] },
    { code: "page", values: ["2", "9"] },
  ];
  expect(sayStep(steps)).toBe("12 件中 3 件目 · notes.md · 9 ページ中 2 ページ目を処理しています");
  expect(i18n("en").sayStep(steps)).toBe("3 of 12 files · notes.md · Processing page 2 of 9");
});

describe("every message", () => {
  const codes = Object.keys(ENGLISH) as MessageCode[];
  const own = codes.filter((code) => code !== "stated");

  test.each(own)("%s has a text in both languages", (code) => {
    const values = ["first", "second", "third"];
    expect(places(ENGLISH[code])).toEqual(expect.arrayContaining(places(MESSAGES_JA[code])));
    expect(sayMessage({ code, values })).toMatch(JAPANESE);
    expect(i18n("en").sayMessage({ code, values })).not.toMatch(JAPANESE);
    for (const language of ["en", "ja"] as const) {
      expect(i18n(language).sayMessage({ code, values })).not.toMatch(/[{}]/);
      expect(i18n(language).sayMessage({ code, values })).not.toBe(code);
    }
  });

  test("the page's own fields are named, not flags", () => {
    expect(i18n("en").sayMessage({ code: "leftOut", values: ["3"] })).not.toContain("--");
  });

  test("a sentence without a code, and a code of another version, are shown as they are", () => {
    expect(sayMessage({ code: "stated", values: ["Odd."] })).toBe("Odd.");
    expect(sayMessage({ code: "constructor", values: [] })).toBe("constructor");
  });
});
