// Texts of a language in shared/data, paragraph by paragraph.
import { execFileSync } from "node:child_process";
import { join } from "node:path";

const QUESTIONS: Readonly<Record<string, readonly string[]>> = {
  ja: ["jaquad-train", "jsquad-valid"],
  zh_Hans: ["cmrc-dev"],
  zh_Hant: ["drcd-dev", "drcd-test"],
  fr: ["piaf"],
  en: ["policyqa"],
};
const PAIRS = new Set("de es fr it nl pt ru ko".split(" "));
const MAX_LINES = 20_000;

/** Without markup; `language` is one of Django's names. */
export function textsOf(data: string, language: string): readonly string[] {
  const unpacked = (path: string) =>
    execFileSync("xz", ["-dc", join(data, path)], { maxBuffer: 2 ** 30 })
      .toString()
      .trimEnd()
      .split("\n");
  const paragraphs = (QUESTIONS[language] ?? []).flatMap((name) =>
    unpacked(`qa/${name}.jsonl.xz`).map((line) => (JSON.parse(line) as { text: string }).text),
  );
  const sentences = PAIRS.has(language)
    ? unpacked(`parallel/${language}.tsv.xz`).map((line) => line.split("\t")[2] ?? "")
    : [];
  const every = Math.max(1, Math.floor(sentences.length / MAX_LINES));
  return [...paragraphs, ...sentences.filter((_, at) => at % every === 0)];
}
