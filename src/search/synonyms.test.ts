import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { silentLog } from "../../test/support/silent-log.ts";
import { openSynonyms, toSynonyms } from "./synonyms.ts";

const SHIPPED = join(import.meta.dirname, "../../models/synonyms/synonyms.txt.br");

const LIST = toSynonyms(
  ["締め切り 締切\t提出期限 終", "提出期限\t締め切り", "終 終わり\t", "引っ越し 引越\t"].join("\n"),
);

test("a word has other spellings, and synonyms in all of theirs", () => {
  expect(LIST.spellingsOf("締切")).toEqual(["締め切り"]);
  expect(LIST.synonymsOf("締切")).toEqual(["提出期限", "終", "終わり"]);
  expect(LIST.synonymsOf("提出期限")).toEqual(["締め切り", "締切"]);
  expect([LIST.spellingsOf("犬"), LIST.synonymsOf("引越")]).toEqual([[], []]);
});

test("words are found in a text, also where it is cut between their parts, but not within other words", () => {
  expect(LIST.wordsIn("提出期限はいつですか。引越の締め切りは？ 締切")).toEqual([
    "提出期限",
    "引越",
    "締め切り",
    "締切",
  ]);
  expect(LIST.wordsIn("終点まで行く")).toEqual([]);
  expect(LIST.wordsIn("deadline")).toEqual([]);
});

test("the shipped list is the one that its checksum names, and is read once", async () => {
  const sum = createHash("sha256").update(readFileSync(SHIPPED)).digest("hex");
  expect(readFileSync(`${SHIPPED}.sha256`, "utf8")).toBe(`${sum}  synonyms.txt.br\n`);
  const load = openSynonyms(SHIPPED, silentLog());
  const list = await load();
  expect(list?.synonymsOf("締め切り")).toContain("提出期限");
  expect(list?.spellingsOf("引越")).toContain("引っ越し");
  expect(await load()).toBe(list);
});

test("a list that cannot be read leaves searches without it", async () => {
  const log = silentLog();
  expect(await openSynonyms(`${SHIPPED}.gone`, log)()).toBeUndefined();
  expect(await openSynonyms(`${SHIPPED}.sha256`, log)()).toBeUndefined();
});
