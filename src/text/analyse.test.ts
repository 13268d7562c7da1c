import { describe, expect, test } from "vitest";
import { openAnalyser } from "./analyse.ts";

const { terms } = openAnalyser();

describe("the analyser", () => {
  test("word forms meet in one stem, stop words are left out", () => {
    expect(terms("The connections were connecting")).toEqual(["connect", "connect"]);
    expect(terms("Isn't it the user's?")).toEqual(["user"]);
  });

  test("identifiers are found whole and by their parts", () => {
    expect(terms("KNOWLEDGE_DATA_DIR")).toEqual(["knowledgedatadir", "knowledg", "data", "dir"]);
    expect(terms("openStore")).toEqual(["openstor", "open", "store"]);
    expect(terms("parseHTTPRequest")).toEqual(["parsehttprequest", "pars", "http", "request"]);
    expect(terms("CR4.LA57[bit 12]")).toEqual(["cr4la57", "cr4", "la57", "bit", "12"]);
    expect(terms("ERR-4711")).toEqual(["err4711", "err", "4711"]);
  });

  test.each([
    ["e-mail", "email"],
    ["Wi-Fi", "wifi"],
    ["YouTube", "youtube"],
    ["ERR-4711", "ERR4711"],
    ["café", "cafe"],
    ["ＡＰＩキー", "APIキー"],
    ["１２３４", "1234"],
    ["1,234,567", "1234567"],
    ["サーバー", "ｻｰﾊﾞ"],
    ["書いた", "書く"],
  ])("%s meets %s", (a, b) => {
    expect(terms(a).some((term) => terms(b).includes(term))).toBe(true);
  });

  test("versions and dates keep their punctuation", () => {
    expect(terms("1.12 112 2026-11-15")).toEqual([
      "1.12",
      "12",
      "112",
      "2026-11-15",
      "2026",
      "11",
      "15",
    ]);
  });

  test("languages such as C# and C++ are not the letter alone", () => {
    expect(terms("C++, C# and C")).toEqual(["c++", "c#", "c"]);
  });

  test("Japanese is cut into words, and words of hiragana alone are left out", () => {
    expect(terms("資料が見つからない場合は、設定を確認してください。")).toEqual([
      "資料",
      "見",
      "場合",
      "設定",
      "確認",
    ]);
  });

  test.each([
    ["학교에서", "학교"],
    ["학교를", "학교"],
    ["대통령으로서", "대통령"],
    ["서울까지", "서울"],
  ])("a Korean word loses its particle: %s", (word, noun) => {
    expect(terms(word)).toEqual(terms(noun));
  });

  test.each(["나는", "종이", "학교"])("a short Korean word stays whole: %s", (word) => {
    expect(terms(word)).toEqual([word.normalize("NFD")]);
  });

  test("mixed text is read by script", () => {
    expect(terms("AWSのS3バケット")).toEqual(["aw", "s3", "バケット"]);
  });

  test("text without words has no terms", () => {
    expect(terms(" — … 、。 \n\t|---|")).toEqual([]);
    expect(terms("")).toEqual([]);
  });

  test("a term has at most 64 characters and no white space", () => {
    for (const term of terms(`${"a1".repeat(500)} two\u3000words \u00a0 nbsp`)) {
      expect(term.length).toBeLessThanOrEqual(64);
      expect(term).not.toMatch(/\s/);
    }
  });
});
