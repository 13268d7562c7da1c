import { describe, expect, test } from "vitest";
import { oddTexts } from "../../../test/fixtures/odd-texts.ts";
import { eachRun, fold } from "./runs.ts";

function runsOf(text: string): readonly string[] {
  const found: string[] = [];
  eachRun(fold(text), ({ text: folded, start, end, isWord }) => {
    found.push((isWord ? " " : "") + folded.slice(start, end));
  });
  return found;
}

describe("runs", () => {
  test.each([
    ["How do I reset my password?", " how| do| i| reset| my| password"],
    ["画面が表示されない場合、どのような対処", "画面|が|表示|されない|場合|どのような|対処"],
    ["PostgreSQLのメモリ設定を見直す", " postgresql|の|メモリ|設定|を|見直|す"],
    ["食べる、新しいサーバー、らーめん", "食べる|新しい|サーバー|らーめん"],
    ["ｶﾞｲﾄﾞ ＡＢＣ ﬁle ①", "ガイド| abc| file| 1"],
    ["Größe ändern, café, ёлка", " große| andern| cafe| елка"],
    ["l'utilisateur, max_connections", " l| utilisateur| max| connections"],
    ["co\u00adoperate zero\u200bwidth", " cooperate| zerowidth"],
    ["임의의 값을 구축하기", " 임의의| 값을| 구축하기"],
    ["检测分配器，函数", "检测分配器|函数"],
    ["🙂 — … 。", ""],
  ])("%j", (text, expected) => {
    expect(runsOf(text).join("|")).toBe(expected);
  });

  test("hold every letter of the folded text once and in order", () => {
    for (const text of oddTexts(500)) {
      const letters = fold(text).replace(/[^\p{L}\p{N}\p{M}]/gu, "");
      const held = runsOf(text).join("").replaceAll(" ", "");
      expect(held.replace(/[^\p{L}\p{N}\p{M}]/gu, "")).toBe(letters);
    }
  });

  test("a letter keeps eight marks, so that no text takes long to put in order", () => {
    expect(fold(`\u05d0${"\u05b0\u05ab".repeat(50_000)}`)).toHaveLength(9);
  });
});
