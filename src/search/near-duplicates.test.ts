import { describe, expect, test } from "vitest";
import { isNearDuplicate, toSketch } from "./near-duplicates.ts";

const PROSE = Array.from({ length: 80 }, (_, at) => `word${(at * 7) % 61}`).join(" ");

function alike(a: string, b: string): boolean {
  return isNearDuplicate(toSketch(a), toSketch(b));
}

describe("near-duplicates", () => {
  test("case, punctuation and line breaks make no difference", () => {
    expect(alike(PROSE, `${PROSE.toUpperCase().replaceAll(" ", "\n")}.`)).toBe(true);
  });

  test("a text with another half is another text", () => {
    expect(alike(PROSE, `${PROSE.slice(0, PROSE.length / 2)} ${"other end ".repeat(20)}`)).toBe(
      false,
    );
  });

  test("short texts that differ in a word differ", () => {
    expect(alike("Port 3000 is used", "Port 4000 is used")).toBe(false);
    expect(alike("yes", "no")).toBe(false);
    expect(alike("yes", "Yes!")).toBe(true);
  });

  test("text without spaces is compared by characters", () => {
    const text = "資料が見つからない場合は設定を確認してください";
    expect(alike(text, `${text}。`)).toBe(true);
    expect(alike(text, "記事が投稿できない場合は画面を閉じてください")).toBe(false);
  });
});
