// Chooses the source of answers: Bedrock if it is configured, else the local documents.
import { KnowledgeError } from "../domain/errors.ts";
import type {
  AnswerConfig,
  Answerer,
  AnswerParts,
  AnswerSource,
  KnowledgeBaseKind,
} from "./answer.ts";

export interface BedrockTarget {
  readonly region: string;
  readonly knowledgeBaseId: string;
  readonly modelArn: string;
  readonly kind: KnowledgeBaseKind;
}

/**
 * Undefined if Bedrock is not configured; throws if the configuration is incomplete and names what
 * is missing.
 */
function toBedrockTarget(config: AnswerConfig): BedrockTarget | undefined {
  const { answer, awsRegion: region, bedrockKbId, bedrockModelArn } = config;
  if (answer === "local") return undefined;
  if (bedrockKbId !== undefined && bedrockModelArn !== undefined) {
    const kind = config.bedrockKbType ?? "auto";
    return { region, knowledgeBaseId: bedrockKbId, modelArn: bedrockModelArn, kind };
  }
  const settings = { BEDROCK_KB_ID: bedrockKbId, BEDROCK_MODEL_ARN: bedrockModelArn };
  const missing = Object.entries(settings).flatMap(([name, value]) => (value ? [] : [name]));
  if (missing.length === 2 && answer === "auto") return undefined;
  throw new KnowledgeError(
    "CONFIG_INVALID",
    `Bedrock is only partly configured: set ${missing.join(" and ")}, or KNOWLEDGE_ANSWER=local to answer from the local documents.`,
    { details: { missing } },
  );
}

/** If the configuration is incomplete, each call reports it; the server's other tools still work. */
export function chooseSource(config: AnswerConfig, parts: AnswerParts): Answerer {
  let target: BedrockTarget | undefined;
  try {
    target = toBedrockTarget(config);
  } catch (error) {
    const reason = (error as KnowledgeError).message;
    return {
      answer: () => Promise.reject(error),
      describe: () => ({ kind: "broken", reason }),
      close: () => {},
    };
  }
  return target === undefined ? openLocalOnUse(config, parts) : openBedrockOnUse(target);
}

/** Loaded on first use, to keep the start fast. */
function openLocalOnUse(config: AnswerConfig, parts: AnswerParts): Answerer {
  const { llmUrl } = config;
  return openOnFirstUse(
    async () => (await import("./local.ts")).openLocal(config, parts),
    () => ({ kind: "local", ...(llmUrl !== undefined && { endpoint: new URL(llmUrl).host }) }),
  );
}

/** Loaded on first use, because the SDK takes a tenth of a second and many megabytes. */
function openBedrockOnUse(target: BedrockTarget): Answerer {
  const { region, knowledgeBaseId } = target;
  return openOnFirstUse(
    async () => (await import("./bedrock/bedrock.ts")).openBedrock(target),
    () => ({ kind: "bedrock", region, knowledgeBaseId }),
  );
}

type Opened = Pick<Answerer, "answer" | "close">;

function openOnFirstUse(open: () => Promise<Opened>, describe: () => AnswerSource): Answerer {
  let opened: Promise<Opened> | undefined;
  return {
    async answer(request, options) {
      opened ??= open();
      return (await opened).answer(request, options);
    },
    describe,
    close: () => void opened?.then(({ close }) => close()),
  };
}
