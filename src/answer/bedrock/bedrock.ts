// Amazon Bedrock Knowledge Bases through the AWS SDK, which finds credentials, endpoint and retries itself.
import {
  BedrockAgentRuntimeClient,
  type RetrievalFilter,
  type RetrievalResultContent,
  RetrieveAndGenerateCommand,
  type RetrieveAndGenerateCommandInput,
  type RetrieveAndGenerateCommandOutput,
} from "@aws-sdk/client-bedrock-agent-runtime";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import { KnowledgeError } from "../../domain/errors.ts";
import type {
  Answerer,
  AnswerOutcome,
  AnswerRequest,
  Citation,
  MetadataFilter,
} from "../answer.ts";
import type { BedrockTarget } from "../choose-source.ts";
import { toBedrockError } from "./bedrock-error.ts";
import { isWrongShape, type SearchShape, shapesToTry, toRetrieval } from "./search-shape.ts";
import { keepScores, type Scores } from "./wire-scores.ts";

const CONNECTION_TIMEOUT_MS = 5_000;

export function openBedrock(target: BedrockTarget): Pick<Answerer, "answer" | "close"> {
  const client = new BedrockAgentRuntimeClient({
    region: target.region,
    // HTTP/1.1, because this client's default, HTTP/2, fails behind most proxies.
    requestHandler: new NodeHttpHandler({ connectionTimeout: CONNECTION_TIMEOUT_MS }),
  });
  const known: { shape?: SearchShape } = {};
  const ask = async (request: AnswerRequest, shape: SearchShape, signal: AbortSignal) => {
    const command = new RetrieveAndGenerateCommand(toInput(target, request, shape));
    const scores = keepScores(command);
    const output = await client.send(command, { abortSignal: signal });
    known.shape = shape;
    return toOutcome(output, scores);
  };
  return {
    async answer(request, { signal }) {
      if (request.filter !== undefined) throw localOnly();
      const hasFilter = request.condition !== undefined || request.metadata !== undefined;
      const [first = "vector", ...others] = orderShapes(
        shapesToTry(target.kind, hasFilter),
        known.shape,
      );
      try {
        return await ask(request, first, signal).catch((thrown: unknown) =>
          retryWithOtherShape(thrown, others, (shape) => ask(request, shape, signal)),
        );
      } catch (thrown) {
        if (signal.aborted) throw signal.reason;
        throw toBedrockError(thrown, target);
      }
    },
    close: () => client.destroy(),
  };
}

function localOnly(): KnowledgeError {
  return new KnowledgeError(
    "INVALID_PARAMETER",
    "filters work with local documents; use metadata_filter for a Bedrock knowledge base.",
    { details: { parameter: "filters" } },
  );
}

function orderShapes(
  shapes: readonly SearchShape[],
  known: SearchShape | undefined,
): readonly SearchShape[] {
  if (known === undefined || !shapes.includes(known)) return shapes;
  return [known, ...shapes.filter((shape) => shape !== known)];
}

/** Retries with the other kind's configuration if the error says so; other errors are passed on. */
async function retryWithOtherShape<Result>(
  thrown: unknown,
  shapes: readonly SearchShape[],
  ask: (shape: SearchShape) => Promise<Result>,
): Promise<Result> {
  const [next, ...others] = shapes;
  if (next === undefined || !isWrongShape(thrown)) throw thrown;
  return ask(next).catch((again: unknown) => retryWithOtherShape(again, others, ask));
}

function toInput(
  target: BedrockTarget,
  { query, maxResults, metadata, condition }: AnswerRequest,
  shape: SearchShape,
): RetrieveAndGenerateCommandInput {
  const filter = (condition as RetrievalFilter | undefined) ?? (metadata && toFilter(metadata));
  const retrieval = toRetrieval(shape, { numberOfResults: maxResults, ...(filter && { filter }) });
  return {
    input: { text: query },
    retrieveAndGenerateConfiguration: {
      type: "KNOWLEDGE_BASE",
      knowledgeBaseConfiguration: {
        knowledgeBaseId: target.knowledgeBaseId,
        modelArn: target.modelArn,
        ...(retrieval && { retrievalConfiguration: retrieval }),
      },
    },
  };
}

function toFilter(metadata: MetadataFilter): RetrievalFilter | undefined {
  const conditions = Object.entries(metadata).map(([key, values]): RetrievalFilter => {
    const [first, ...others] = values;
    return others.length === 0 && first !== undefined
      ? { equals: { key, value: first } }
      : { in: { key, value: [...values] } };
  });
  // The service accepts `andAll` only with at least two conditions.
  return conditions.length > 1 ? { andAll: conditions } : conditions[0];
}

function toOutcome(output: RetrieveAndGenerateCommandOutput, scores: Scores): AnswerOutcome {
  const citations = (output.citations ?? []).flatMap((citation, at) =>
    (citation.retrievedReferences ?? []).map((reference, index): Citation => {
      const { content, location, metadata } = reference;
      return {
        content: toText(content),
        location: { ...location },
        score: scores.of(at, index),
        ...(metadata && { metadata }),
        ...(content?.type !== undefined && content.type !== "TEXT" && { type: content.type }),
        ...(content?.byteContent !== undefined && { image: content.byteContent }),
      };
    }),
  );
  const answer = output.output?.text ?? "";
  const grounded = citations.length > 0;
  const outcome = grounded ? "answered" : "nothing";
  return { answer, citations, related: [], outcome, grounded, kind: "bedrock" };
}

/** Rows of a structured source become `column: value` lines. */
function toText(content: RetrievalResultContent | undefined): string {
  if (content?.text !== undefined) return content.text;
  const columns = content?.row?.map(
    ({ columnName, columnValue }) => `${columnName ?? ""}: ${columnValue ?? ""}`,
  );
  return columns?.join("\n") ?? "";
}
