// Retrieval sets in BEIR's layout: corpus.jsonl, queries.jsonl, qrels.tsv.
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface RetrievalSet {
  readonly name: string;
  readonly corpus: readonly {
    readonly id: string;
    readonly title: string;
    readonly text: string;
  }[];
  readonly queries: readonly { readonly id: string; readonly text: string }[];
  /** Query → document → grade. */
  readonly judged: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

interface Line {
  readonly _id: string;
  readonly title?: string;
  readonly text: string;
}

/** `sample`: so many queries, spread over the file; 0 for all. */
export function readRetrievalSet(folder: string, name: string, sample: number): RetrievalSet {
  const lines = (file: string) =>
    readFileSync(join(folder, name, file), "utf8")
      .trim()
      .split("\n");
  const parse = (file: string) => lines(file).map((line) => JSON.parse(line) as Line);
  const judged = new Map<string, Map<string, number>>();
  for (const line of lines("qrels.tsv").slice(1)) {
    const [query = "", document = "", grade = "0"] = line.split("\t");
    judged.set(query, (judged.get(query) ?? new Map()).set(document, Number(grade)));
  }
  const queries = parse("queries.jsonl").filter(({ _id }) => judged.has(_id));
  const step = sample > 0 ? Math.max(1, queries.length / sample) : 1;
  const chosen = queries.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
  return {
    name,
    judged,
    corpus: parse("corpus.jsonl").map(({ _id, title = "", text }) => ({ id: _id, title, text })),
    queries: chosen.map(({ _id, text }) => ({ id: _id, text })),
  };
}

/** Gains as graded, discounted by rank, against the best order there is. */
export function ndcg(
  ranked: readonly string[],
  grades: ReadonlyMap<string, number>,
  depth = 10,
): number {
  const gain = (values: readonly number[]) =>
    values.slice(0, depth).reduce((sum, grade, rank) => sum + grade / Math.log2(rank + 2), 0);
  const ideal = gain([...grades.values()].sort((a, b) => b - a));
  return ideal === 0 ? 0 : gain(ranked.map((id) => grades.get(id) ?? 0)) / ideal;
}
