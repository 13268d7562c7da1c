// Public questions on paragraphs, as the data folder has them, split by article.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

interface Asked {
  readonly question: string;
  /** None if the paragraph does not answer it. */
  readonly answers: readonly { readonly start: number; readonly text: string }[];
}

export interface Paragraph {
  readonly language: string;
  readonly article: string;
  readonly title: string;
  readonly text: string;
  readonly questions: readonly Asked[];
}

/** What the reader is trained on; its articles are split into three parts, those of all other sets are for testing. */
const TRAINED = new Set([
  "jaquad-train",
  "squad",
  "squad-es",
  "squad-it",
  "new-wiki",
  "squad-more",
  "shifts-amazon",
  "shifts-reddit",
  "drcd-dev",
  "drcd-test",
  "cmrc-dev",
  "cmrc-trial",
  "piaf",
  "covid-qa",
]);

/** The same rule as `part` in training/reader/examples.py. XQuAD's paragraphs are SQuAD's, so its split is SQuAD's. */
export function partOf(
  name: string,
  { article, title }: Pick<Paragraph, "article" | "title">,
): "train" | "valid" | "test" {
  if (name === "squad-more") return "train"; // articles of SQuAD's own training part
  const isSquad = name.startsWith("squad") || name.startsWith("xquad");
  if (!TRAINED.has(name) && !isSquad) return "test";
  const key =
    createHash("sha1")
      .update(title || article)
      .digest()
      .readUInt32BE(0) % 100;
  if (isSquad && key < 34) return "test";
  const valid = name === "new-wiki" ? 14 : 7;
  return key < (isSquad ? 46 : valid) ? "valid" : "train";
}

export function readCollection(data: string, name: string): readonly Paragraph[] {
  if (name === "squad") return readSquad(join(data, "retrieval", "squad-v2.0-dev"));
  const file = join(data, "qa", `${name}.jsonl.xz`);
  return toLines<Paragraph>(execFileSync("xz", ["-dc", file], { maxBuffer: 1 << 30 }).toString());
}

function readSquad(folder: string): readonly Paragraph[] {
  interface Row {
    readonly question: string;
    readonly answers?: readonly string[];
    readonly "corpus-id": string;
  }
  interface Text {
    readonly _id: string;
    readonly title: string;
    readonly text: string;
  }
  const read = <Line>(name: string) => toLines<Line>(readFileSync(join(folder, name), "utf8"));
  const rows = [...read<Row>("answers.jsonl"), ...read<Row>("unanswerable.jsonl")];
  const asked = Map.groupBy(rows, (row) => row["corpus-id"]);
  return read<Text>("corpus.jsonl").map(({ _id, title, text }) => ({
    language: "en",
    article: _id.split("#", 1)[0] ?? _id,
    title,
    text,
    questions: (asked.get(_id) ?? []).map(({ question, answers = [] }) => ({
      question,
      answers: answers
        .map((each) => ({ start: text.indexOf(each), text: each }))
        .filter(({ start }) => start >= 0),
    })),
  }));
}

function toLines<Line>(text: string): readonly Line[] {
  const lines = text.trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Line);
}
