// Max–min semantic chunking, the way mcp-local-rag publishes (hard threshold 0.6, c 0.9, initial constant 1.5, the
// last 5 sentences compared, 15 at most, no chunk under 50 characters): every sentence is embedded to find where chunks
// end, then every chunk is embedded once more to be stored.

const HARD_THRESHOLD = 0.6;
const C = 0.9;
const INITIAL = 1.5;
const WINDOW = 5;
const MAX_SENTENCES = 15;
const MIN_CHARACTERS = 50;

type EmbedAll = (texts: readonly string[]) => Promise<readonly Float32Array[]>;

interface Group {
  readonly sentences: string[];
  readonly vectors: Float32Array[];
}

/** The chunks' texts; their vectors are made too, as a base would need them. */
export async function chunkByMaxMin(text: string, embedAll: EmbedAll): Promise<readonly string[]> {
  const sentences = text
    .split(/(?<=[.!?])\s+|(?<=[。！？])|\n+/u)
    .map((each) => each.trim())
    .filter((each) => each !== "");
  const vectors = await embedAll(sentences);
  const groups: Group[] = [];
  for (const [at, sentence] of sentences.entries()) {
    const vector = vectors[at] as Float32Array;
    const last = groups.at(-1);
    if (last && (belongs(last, vector) || isShort(last))) {
      last.sentences.push(sentence);
      last.vectors.push(vector);
    } else groups.push({ sentences: [sentence], vectors: [vector] });
  }
  const chunks = groups.map((group) => group.sentences.join(" "));
  await embedAll(chunks);
  return chunks;
}

function isShort({ sentences }: Group): boolean {
  return sentences.length < MAX_SENTENCES && sentences.join(" ").length < MIN_CHARACTERS;
}

function belongs({ sentences, vectors }: Group, vector: Float32Array): boolean {
  if (sentences.length >= MAX_SENTENCES) return false;
  const nearest = Math.max(...vectors.map((each) => cosine(each, vector)));
  if (sentences.length === 1) return INITIAL * nearest > HARD_THRESHOLD;
  const window = vectors.slice(-WINDOW);
  const pairs = window.flatMap((a, at) => window.slice(at + 1).map((b) => cosine(a, b)));
  const grown = 1 / (1 + Math.exp(-sentences.length));
  return nearest > Math.max(C * Math.min(...pairs) * grown, HARD_THRESHOLD);
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}
