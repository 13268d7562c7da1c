// Answers from the local documents: search, then a model's words where there is one, else the sentences themselves.
import type { Log } from "../observe/log.ts";
import type {
  AnswerConfig,
  Answerer,
  AnswerOptions,
  AnswerOutcome,
  AnswerParts,
  AnswerRequest,
  Sample,
} from "./answer.ts";
import { toPlainFilter } from "./conditions.ts";
import { toSample } from "./model/endpoint.ts";
import { type Asked, answerByModel } from "./model/model.ts";
import { answerExtractively } from "./quote/quote.ts";

/** So many passages show which of the question's words are common here. */
const POOL = 20;
/** The model's share of the time: enough must be left to answer without it. */
const MODEL_SHARE = 0.8;

interface Voice {
  readonly name: string;
  readonly sample: Sample;
}

export function openLocal(config: AnswerConfig, { search, log }: AnswerParts): Answerer {
  const { llmUrl, llmModel = "default", llmKey } = config;
  const endpoint: Voice | undefined =
    llmUrl === undefined
      ? undefined
      : {
          name: "the model at KNOWLEDGE_LLM_URL",
          sample: toSample({ url: llmUrl, model: llmModel, key: llmKey }),
        };
  const modelMs = config.answerTimeoutSeconds * 1000 * MODEL_SHARE;

  async function answer(request: AnswerRequest, { signal, sample }: AnswerOptions) {
    const { query, maxResults, condition } = request;
    const metadata = condition ? toPlainFilter(condition) : request.metadata;
    const limit = Math.max(POOL, maxResults);
    const filter = metadata && { filter: { metadata } };
    const room = await search();
    const { passages } = await room.search({ text: query, limit, ...filter }, signal);
    const extract = () => answerExtractively(query, passages, maxResults);
    const voice = endpoint ?? (sample && { name: "the client's model", sample });
    if (!voice || passages.length === 0) return extract();
    const asked = { query, passages: passages.slice(0, maxResults) };
    const said = await tryModel(asked, voice, { signal, modelMs, log });
    return "answer" in said ? said : { ...extract(), warning: said.warning };
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

interface ModelRun {
  readonly signal: AbortSignal;
  readonly modelMs: number;
  readonly log: Log;
}

/** A model that is unavailable, slow or untruthful costs its phrasing, not the answer. */
async function tryModel(
  asked: Asked,
  { name, sample }: Voice,
  { signal, modelMs, log }: ModelRun,
): Promise<AnswerOutcome | { readonly warning: string }> {
  const deadline = AbortSignal.timeout(modelMs);
  try {
    const said = await answerByModel(asked, sample, AbortSignal.any([signal, deadline]));
    if (said) return said;
    log.warn("answer.model-unsupported", { model: name });
    return {
      warning: `The documents support nothing that ${name} said; the answer quotes them instead.`,
    };
  } catch (error) {
    if (signal.aborted) throw error;
    log.warn("answer.model-failed", { model: name, error });
    const why = deadline.aborted ? "it took too long" : "it could not be asked";
    return { warning: `The answer quotes the documents, not ${name}: ${why}.` };
  }
}
