// The plain truth that approximate search is held against.
import type { Store } from "../../src/store/store.ts";
import type { ScaleCorpus } from "./scale-corpus.ts";

/** Row numbers of the nearest by exact f32 dot product. */
export function exactNearest(vectors: Float32Array, query: Float32Array, limit: number): number[] {
  const dimensions = query.length;
  const scores = new Float32Array(vectors.length / dimensions);
  for (let row = 0; row < scores.length; row++) {
    scores[row] = dot(vectors, row * dimensions, query);
  }
  const least = scores.slice().sort().at(-limit) ?? -1;
  return [...scores.keys()].filter((row) => (scores[row] ?? 0) >= least).slice(0, limit);
}

/** Over a whole store as the bench fills it, for some of the questions: the exact way is slow. */
export async function recallOf(store: Store, corpus: ScaleCorpus, asked = 40): Promise<number> {
  const { documents: count } = await store.documents.totals();
  const questions = corpus.questions.slice(0, asked);
  const best = questions.map(() => [] as { id: string; score: number }[]);
  for (let number = 0; number < count; number++) {
    const { document, chunks } = corpus.document(number, 20);
    for (const { vector, ordinal } of chunks) {
      questions.forEach((question, at) => {
        const score = vector ? dot(vector, 0, question.vector) : -1;
        const list = best[at] ?? [];
        if (list.length < 10 || score > (list.at(-1)?.score ?? 0)) {
          list.push({ id: `${document.id}/${ordinal}`, score });
          list.sort((a, b) => b.score - a.score);
          list.length = Math.min(list.length, 10);
        }
      });
    }
  }
  let found = 0;
  for (const [at, question] of questions.entries()) {
    const hits = await store.documents.nearest({ vector: question.vector, limit: 10 });
    const chunks = await store.documents.chunks(hits.map((hit) => hit.key));
    const exact = new Set(best[at]?.map((each) => each.id));
    found += chunks.filter((chunk) => exact.has(`${chunk.document.id}/${chunk.ordinal}`)).length;
  }
  return Number((found / (questions.length * 10)).toPrecision(3));
}

function dot(vectors: Float32Array, from: number, query: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < query.length; at++) sum += (vectors[from + at] ?? 0) * (query[at] ?? 0);
  return sum;
}
