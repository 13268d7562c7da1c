// Who answers: Bedrock where it is configured, else the local documents.
import { KnowledgeError } from "../domain/errors.ts";
import type { AnswerConfig, Answerer, AnswerParts, KnowledgeBaseKind } from "./answer.ts";
import { openLocal } from "./local.ts";

export interface BedrockTarget {
  readonly region: string;
  readonly knowledgeBaseId: string;
  readonly modelArn: string;
  readonly kind: KnowledgeBaseKind;
}

/** Undefined when Bedrock is not meant; rejects a half configuration by naming what is missing. */
function toBedrockTarget(config: AnswerConfig): BedrockTarget | undefined {
  const { answer, awsRegion: region, bedrockKbId, bedrockModelArn } = config;
  if (answer === "local") return undefined;
  if (bedrockKbId !== undefined && bedrockModelArn !== undefined) {
    const kind = config.bedrockKbType ?? "auto";
    return { region, knowledgeBaseId: bedrockKbId, modelArn: bedrockModelArn, kind };
  }
  const missing = [
    ...(bedrockKbId === undefined ? ["BEDROCK_KB_ID"] : []),
    ...(bedrockModelArn === undefined ? ["BEDROCK_MODEL_ARN"] : []),
  ];
  if (missing.length === 2 && answer === "auto") return undefined;
  throw new KnowledgeError(
    "CONFIG_INVALID",
    `Bedrock is only partly configured: set ${missing.join(" and ")}, or KNOWLEDGE_ANSWER=local to answer from the local documents.`,
    { details: { missing } },
  );
}

/** An incomplete configuration is reported by each call, so that the server's other tools still work. */
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
  return target === undefined ? openLocal(config, parts) : openBedrockLate(target);
}

/** The SDK takes a tenth of a second and many megabytes to load: not before it is asked. */
function openBedrockLate(target: BedrockTarget): Answerer {
  let opened: Promise<Pick<Answerer, "answer" | "close">> | undefined;
  const open = () => {
    opened ??= import("./bedrock/bedrock.ts").then(({ openBedrock }) => openBedrock(target));
    return opened;
  };
  return {
    answer: async (request, options) => (await open()).answer(request, options),
    describe: () => ({
      kind: "bedrock",
      region: target.region,
      knowledgeBaseId: target.knowledgeBaseId,
    }),
    close: () => void opened?.then(({ close }) => close()),
  };
}
