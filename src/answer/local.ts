// Answers from the local documents: searches, then lets a model phrase the answer if there is one, else quotes them.
import { defined } from "../domain/defined.ts";
import type { SearchFilter } from "../domain/passage.ts";
import { toMessage } from "../domain/phrases/messages.ts";
import type { Log } from "../observe/log.ts";
import type {
  AnswerConfig,
  Answerer,
  AnswerOptions,
  AnswerOutcome,
  AnswerParts,
  AnswerRequest,
} from "./answer.ts";
import { answerFromPassages } from "./answer-from-passages.ts";
import { toPlainFilter } from "./bedrock-filter.ts";
import { byReader } from "./likely-passages.ts";
import { markOcr } from "./mark-ocr.ts";
import { toAsk } from "./model/chat-endpoint.ts";
import { type Ask, answerByModel, type ModelQuestion } from "./model/model.ts";

/** At least this many are searched for: the reader may prefer one that is not among the first. */
const POOL = 8;
/** The model's share of the time limit; the rest is enough to answer without it. */
const MODEL_SHARE = 0.8;

interface Model {
  readonly name: string;
  readonly ask: Ask;
}

export function openLocal(
  config: AnswerConfig,
  parts: AnswerParts,
): Pick<Answerer, "answer" | "close"> {
  const { search, reading, log } = parts;
  const endpoint = endpointModel(config, parts);
  const modelMs = config.answerTimeoutSeconds * 1000 * MODEL_SHARE;

  async function answer(request: AnswerRequest, { signal, sample, onStep }: AnswerOptions) {
    const { query, maxResults, condition, sight } = request;
    const metadata = condition ? toPlainFilter(condition) : request.metadata;
    const model = endpoint ?? (sample && clientModel(sample));
    const total = model ? 3 : 2;
    onStep?.({ progress: 0, total, message: "Searching" });
    const limit = Math.max(POOL, maxResults);
    const filter = metadata ? withMetadata(request.filter, metadata) : request.filter;
    const room = await search();
    const wanted = { text: query, limit, ...defined({ filter, sight }) };
    const { passages } = await room.search(wanted, signal);
    const message = `Reading ${Math.min(passages.length, maxResults)} passages`;
    onStep?.({ progress: 1, total, message });
    const readers = await reading();
    const read = await readers.reader?.read(query, passages);
    let modelOutcome: ModelOutcome = {};
    if (model && passages.length > 0) {
      onStep?.({ progress: 2, total, message: `Asking ${model.name}` });
      const asked = { query, passages: byReader(passages, read).slice(0, maxResults), read };
      modelOutcome = await tryModel(asked, model, { signal, modelMs, log });
    }
    if ("answer" in modelOutcome) return markOcr(modelOutcome, readers.documents);
    const found = { query, found: passages, maxResults };
    const answered = await answerFromPassages(found, readers, read);
    return markOcr({ ...answered, ...modelOutcome }, readers.documents);
  }

  return { answer, close: () => {} };
}

function withMetadata(
  filter: SearchFilter | undefined,
  metadata: NonNullable<SearchFilter["metadata"]>,
): SearchFilter {
  return { ...filter, metadata: { ...filter?.metadata, ...metadata } };
}

function endpointModel(config: AnswerConfig, { traceHeaders }: AnswerParts): Model | undefined {
  const { llmUrl: url, llmModel: model = "default", llmKey: key } = config;
  if (url === undefined) return undefined;
  return { name: "the model at KNOWLEDGE_LLM_URL", ask: toAsk({ url, model, key, traceHeaders }) };
}

function clientModel(sample: NonNullable<AnswerOptions["sample"]>): Model {
  return {
    name: "the client's model",
    ask: async (request, signal) => ({ text: await sample(request, signal) }),
  };
}

/** The model's answer, or the reason why there is no answer. */
type ModelOutcome = AnswerOutcome | Pick<AnswerOutcome, "warning" | "usage">;

/** Falls back to quotes if the model is unavailable, slow or wrong. */
async function tryModel(
  asked: ModelQuestion,
  { name, ask }: Model,
  { signal, modelMs, log }: { signal: AbortSignal; modelMs: number; log: Log },
): Promise<ModelOutcome> {
  const deadline = AbortSignal.timeout(modelMs);
  try {
    const modelOutcome = await answerByModel(asked, ask, AbortSignal.any([signal, deadline]));
    if ("answer" in modelOutcome) return modelOutcome;
    log.warn("answer.model-unsupported", { model: name });
    return { ...modelOutcome, warning: toMessage("modelUnsupported", name) };
  } catch (error) {
    if (signal.aborted) throw error;
    log.warn("answer.model-failed", { model: name, error });
    const warning = toMessage(deadline.aborted ? "modelSlow" : "modelFailed", name);
    return { usage: { calls: 1 }, warning };
  }
}
