// The port: a question → an answer with its sources, from Bedrock or from the local documents.
import type { Sight } from "../domain/call/sight.ts";
import { KnowledgeError } from "../domain/errors.ts";
import type { SearchFilter } from "../domain/passage.ts";
import type { Message } from "../domain/phrases/messages.ts";
import { untilAborted } from "../domain/until-aborted.ts";
import type { Log } from "../observe/log.ts";
import type { Search } from "../search/search.ts";
import type { ReadingParts } from "./answer-from-passages.ts";
import type { Condition } from "./bedrock-filter.ts";
import { chooseSource } from "./choose-source.ts";

export { isCondition, toCondition } from "./bedrock-filter.ts";

export interface AnswerRequest {
  readonly query: string;
  /** Maximum number of source chunks, 1 to 100. */
  readonly maxResults: number;
  /** A key's value must equal one of these. */
  readonly metadata?: MetadataFilter;
  /** A filter in Bedrock's own form, used instead of `metadata`. */
  readonly condition?: Condition;
  /** For local documents, the same filter as in a search. */
  readonly filter?: SearchFilter;
  /** What the caller may see of local documents; everything if absent. */
  readonly sight?: Sight;
}

/** The kind of a Bedrock knowledge base; `auto` detects it from the service's response. */
export type KnowledgeBaseKind = "auto" | "vector" | "managed";

export type MetadataFilter = Readonly<Record<string, readonly (string | number | boolean)[]>>;

export interface Citation {
  /** Verbatim from the source. */
  readonly content: string;
  readonly location: Readonly<Record<string, unknown>>;
  readonly score: number | null;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The content type if it is not text, and an image's data. */
  readonly type?: string;
  readonly image?: string;
}

export interface AnswerOutcome {
  readonly answer: string;
  /** The sources of the answer; without an answer, passages that may help. */
  readonly citations: readonly Citation[];
  /** Passages on the same topic that the answer does not use. */
  readonly related: readonly Citation[];
  /** `related`: no answer, but passages that may help. `nothing`: not even those. */
  readonly outcome: "answered" | "related" | "nothing";
  /** The documents support the answer. */
  readonly grounded: boolean;
  /** How likely the answer is right, 0 to 1; absent where nothing measures it. */
  readonly probability?: number;
  readonly kind: "quote" | "table" | "model" | "bedrock";
  /** Why a fallback was used, such as an unavailable model. */
  readonly warning?: Message;
  readonly usage?: ModelUsage;
}

/** The model used, and its tokens if it reports them. */
export interface ModelUsage {
  readonly calls: number;
  readonly promptTokens?: number;
  readonly completionTokens?: number;
}

/** Asks the client's own model. */
export type Sample = (request: SampleRequest, signal: AbortSignal) => Promise<string>;

export interface SampleRequest {
  readonly system: string;
  readonly user: string;
  readonly maxTokens: number;
}

export interface AnswerOptions {
  readonly signal: AbortSignal;
  readonly sample?: Sample | undefined;
  /** Called at each step, for callers that show progress. */
  readonly onStep?: ((step: AnswerStep) => void) | undefined;
}

interface AnswerStep {
  readonly progress: number;
  readonly total: number;
  readonly message: string;
}

export interface Answerer {
  /** Rejects with INVALID_PARAMETER, CONFIG_INVALID, ANSWER_* or CANCELLED. */
  answer(request: AnswerRequest, options: AnswerOptions): Promise<AnswerOutcome>;
  /** Which source would answer; makes no request. */
  describe(): AnswerSource;
  close(): void;
}

export type AnswerSource =
  | { readonly kind: "bedrock"; readonly region: string; readonly knowledgeBaseId: string }
  | { readonly kind: "local"; readonly endpoint?: string }
  | { readonly kind: "broken"; readonly reason: string };

/** The part of the configuration that answers need. */
export interface AnswerConfig {
  readonly answer: "auto" | "bedrock" | "local";
  readonly answerTimeoutSeconds: number;
  readonly awsRegion: string;
  readonly bedrockKbId?: string | undefined;
  readonly bedrockModelArn?: string | undefined;
  readonly bedrockKbType?: KnowledgeBaseKind | undefined;
  readonly llmUrl?: string | undefined;
  readonly llmModel?: string | undefined;
  readonly llmKey?: string | undefined;
}

export interface AnswerParts {
  /** Opened when a local answer first needs it. */
  readonly search: () => Promise<Search>;
  readonly reading: () => Promise<ReadingParts>;
  /** Sent with requests to a model's endpoint. */
  readonly traceHeaders?: () => Readonly<Record<string, string>>;
  readonly log: Log;
}

// A question needs a letter, digit, mark or symbol. White space, control and invisible characters do not count.
const HAS_CONTENT = /[^\s\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u;

export function openAnswer(config: AnswerConfig, parts: AnswerParts): Answerer {
  const source = chooseSource(config, parts);
  const timeoutMs = config.answerTimeoutSeconds * 1000;
  return {
    async answer(request, { signal, sample, onStep }) {
      refuseBlank(request.query);
      const deadline = AbortSignal.timeout(timeoutMs);
      const started = performance.now();
      try {
        const either = AbortSignal.any([signal, deadline]);
        either.throwIfAborted();
        // Some calls, such as the search for credentials, ignore the signal.
        const work = source.answer(request, { signal: either, sample, onStep });
        const outcome = await untilAborted(work, either);
        parts.log.info("answer.served", {
          kind: outcome.kind,
          outcome: outcome.outcome,
          citations: outcome.citations.length,
          durationMs: Math.round(performance.now() - started),
        });
        return outcome;
      } catch (thrown) {
        if (signal.aborted) throw new KnowledgeError("CANCELLED", "The call was cancelled.");
        if (deadline.aborted) throw timedOut(config.answerTimeoutSeconds, thrown);
        throw thrown;
      }
    },
    describe: () => source.describe(),
    close: () => source.close(),
  };
}

function refuseBlank(query: string): void {
  if (HAS_CONTENT.test(query)) return;
  throw new KnowledgeError("INVALID_PARAMETER", "The query is blank. Pass a question.", {
    details: { parameter: "query" },
  });
}

function timedOut(seconds: number, cause: unknown): KnowledgeError {
  return new KnowledgeError(
    "ANSWER_SERVICE",
    `TimeoutError: no answer within ${seconds} s. Try again, or raise KNOWLEDGE_ANSWER_TIMEOUT.`,
    { cause },
  );
}
