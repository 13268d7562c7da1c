import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ERRORS } from "../../../domain/errors.ts";
import { ENGLISH } from "../../../domain/phrases/english.ts";
import { FAILURES_JA } from "../../../domain/phrases/failures-ja.ts";
import { JAPANESE as MESSAGES_JA } from "../../../domain/phrases/japanese.ts";
import type { MessageCode } from "../../../domain/phrases/messages.ts";
import TOOLS_JA from "../connect/tools-ja.json" with { type: "json" };
import JA from "../ja.json" with { type: "json" };
import { i18n } from "./language.ts";
import { CallFailed } from "./mcp.ts";
import { textOf } from "./texts.ts";

const { explain, sayMessage, sayStep } = i18n("ja");
const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;
const places = (text: string) =>
  [...new Set([...text.matchAll(/\{(\w+)(?:\|[^}]*)?\}/g)].map(([, name]) => name))].toSorted();

describe("every text", () => {
  test.each(Object.entries(JA))("%s is in both languages, with the same values", (en, ja) => {
    expect(places(ja)).toEqual(places(en));
    const isName = !/\p{L}/u.test(ja.replace(/\{[^}]*\}/g, ""));
    // The button that switches to English is labelled in English.
    expect(JAPANESE.test(ja) || isName || en === "日本語").toBe(true);
    expect(JAPANESE.test(en)).toBe(en === "日本語");
  });

  test("each is used", async () => {
    const pages = join(import.meta.dirname, "..");
    const names = (await readdir(pages, { recursive: true })).filter((name) =>
      /(?<!\.test)\.tsx?$/.test(name),
    );
    const code = (
      await Promise.all(names.map((name) => readFile(join(pages, name), "utf8")))
    ).join();
    // Rights are shown as the contract names them.
    const isUsed = (text: string) =>
      code.includes(JSON.stringify(text)) || ["read", "write", "admin"].includes(text);
    expect(Object.keys(JA).filter((text) => !isUsed(text))).toEqual([]);
  });

  test("Japanese sentences end as Japanese sentences do", () => {
    const texts = [...Object.values(JA), ...Object.values(TOOLS_JA), ...Object.values(FAILURES_JA)];
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
    expect(explain(new TypeError("Failed to fetch"))).toBe(
      textOf("The server could not be reached. Check that it is running.", "ja"),
    );
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
