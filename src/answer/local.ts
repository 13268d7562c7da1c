// Answers from the local documents: search, then a model's words where there is one, else the documents' own.
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
import { toPlainFilter } from "./conditions.ts";
import { toAsk } from "./model/endpoint.ts";
import { type Ask, type Asked, answerByModel } from "./model/model.ts";

/** So many passages show which of the question's words are common here. */
const POOL = 20;
/** The model's share of the time: enough must be left to answer without it. */
const MODEL_SHARE = 0.8;

interface Voice {
  readonly name: string;
  readonly ask: Ask;
}

export function openLocal(config: AnswerConfig, parts: AnswerParts): Answerer {
  const { search, reading, log } = parts;
  const { llmUrl } = config;
  const endpoint = voiceOfEndpoint(config, parts);
  const modelMs = config.answerTimeoutSeconds * 1000 * MODEL_SHARE;

  async function answer(request: AnswerRequest, { signal, sample, onStep }: AnswerOptions) {
    const { query, maxResults, condition } = request;
    const metadata = condition ? toPlainFilter(condition) : request.metadata;
    const voice = endpoint ?? (sample && toVoice(sample));
    const total = voice ? 3 : 2;
    onStep?.({ progress: 0, total, message: "Searching" });
    const limit = Math.max(POOL, maxResults);
    const filter = metadata && { filter: { metadata } };
    const room = await search();
    const { passages } = await room.search({ text: query, limit, ...filter }, signal);
    onStep?.({
      progress: 1,
      total,
      message: `Reading ${Math.min(passages.length, maxResults)} passages`,
    });
    const extract = async () =>
      answerFromPassages({ query, found: passages, maxResults }, await reading());
    if (!voice || passages.length === 0) return extract();
    const asked = { query, passages: passages.slice(0, maxResults) };
    onStep?.({ progress: 2, total, message: `Asking ${voice.name}` });
    const said = await tryModel(asked, voice, { signal, modelMs, log });
    return "answer" in said ? said : { ...(await extract()), ...said };
  }

  return {
    answer,
    describe: () => ({
      kind: "local",
      ...(llmUrl !== undefined && { endpoint: new URL(llmUrl).host }),
    }),
    close: () => {},
  };
}

function voiceOfEndpoint(config: AnswerConfig, { traceHeaders }: AnswerParts): Voice | undefined {
  const { llmUrl: url, llmModel: model = "default", llmKey: key } = config;
  if (url === undefined) return undefined;
  return { name: "the model at KNOWLEDGE_LLM_URL", ask: toAsk({ url, model, key, traceHeaders }) };
}

function toVoice(sample: NonNullable<AnswerOptions["sample"]>): Voice {
  return {
    name: "the client's model",
    ask: async (request, signal) => ({ text: await sample(request, signal) }),
  };
}

interface ModelRun {
  readonly signal: AbortSignal;
  readonly modelMs: number;
  readonly log: Log;
}

/** A model that is unavailable, slow or untruthful costs its phrasing, not the answer. */
async function tryModel(
  asked: Asked,
  { name, ask }: Voice,
  { signal, modelMs, log }: ModelRun,
): Promise<AnswerOutcome | Pick<AnswerOutcome, "warning" | "usage">> {
  const deadline = AbortSignal.timeout(modelMs);
  try {
    const said = await answerByModel(asked, ask, AbortSignal.any([signal, deadline]));
    if (said) return said;
    log.warn("answer.model-unsupported", { model: name });
    return {
      usage: { calls: 1 },
      warning: `The documents support nothing that ${name} said; the answer quotes them instead.`,
    };
  } catch (error) {
    if (signal.aborted) throw error;
    log.warn("answer.model-failed", { model: name, error });
    const why = deadline.aborted ? "it took too long" : "it could not be asked";
    return { warning: `The answer quotes the documents, not ${name}: ${why}.` };
  }
}
