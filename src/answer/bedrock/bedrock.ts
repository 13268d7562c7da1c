// Amazon Bedrock Knowledge Bases through the AWS SDK, which finds credentials, endpoint and retries itself.
import {
  BedrockAgentRuntimeClient,
  type KnowledgeBaseRetrievalConfiguration,
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
  KnowledgeBaseKind,
  MetadataFilter,
} from "../answer.ts";
import type { BedrockTarget } from "../choose-source.ts";
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
      // The kind that it was before comes first.
      const shapes = shapesToTry(target.kind, hasFilter).toSorted(
        (a, b) => Number(b === known.shape) - Number(a === known.shape),
      );
      let failure: unknown;
      for (const shape of shapes) {
        try {
          return await ask(request, shape, signal);
        } catch (thrown) {
          failure = thrown;
          if (!isWrongShape(thrown)) break;
        }
      }
      if (signal.aborted) throw signal.reason;
      throw toBedrockError(failure, target);
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

// Bedrock has two kinds of knowledge bases, and each rejects the other's search configuration. The service's response
// shows which kind it is; that is remembered per knowledge base.

export type SearchShape = "vector" | "managed" | "none";

function toRetrieval(
  shape: SearchShape,
  search: { readonly numberOfResults: number; readonly filter?: RetrievalFilter },
): KnowledgeBaseRetrievalConfiguration | undefined {
  if (shape === "none") return undefined;
  return shape === "vector"
    ? { vectorSearchConfiguration: search }
    : { managedSearchConfiguration: search };
}

/**
 * The shapes to try, the likeliest first. The shape without a configuration is skipped if there is
 * a filter, because the filter would be lost.
 */
export function shapesToTry(kind: KnowledgeBaseKind, hasFilter: boolean): readonly SearchShape[] {
  if (kind !== "auto") return [kind];
  return hasFilter ? ["vector", "managed"] : ["vector", "managed", "none"];
}

const CONFIGURATION = /(vector|managed)SearchConfiguration|retrievalConfiguration/i;

/** Whether the error means that the knowledge base is of the other kind. */
export function isWrongShape(thrown: unknown): boolean {
  if (!(thrown instanceof Error) || thrown.name !== "ValidationException") return false;
  return CONFIGURATION.test(thrown.message) && /not supported|incompatible/i.test(thrown.message);
}

// What the SDK throws → the catalogue. The exception's name and message are kept: the contract asks for them.

const AUTHENTICATION = new Set([
  "AccessDenied",
  "AccessDeniedException",
  "AuthFailure",
  "CredentialsProviderError",
  "ExpiredToken",
  "ExpiredTokenException",
  "IncompleteSignature",
  "IncompleteSignatureException",
  "InvalidAccessKeyId",
  "InvalidClientTokenId",
  "InvalidSignatureException",
  "MissingAuthenticationToken",
  "MissingAuthenticationTokenException",
  "NotAuthorized",
  "RequestExpired",
  "SignatureDoesNotMatch",
  "TokenProviderError",
  "UnauthorizedException",
  "UnauthorizedOperation",
  "UnrecognizedClientException",
]);
const NOT_FOUND = new Set(["ResourceNotFound", "ResourceNotFoundException"]);

export function toBedrockError(thrown: unknown, target: BedrockTarget): KnowledgeError {
  const { name, message } = describe(thrown);
  if (AUTHENTICATION.has(name)) {
    return new KnowledgeError(
      "ANSWER_AUTHENTICATION",
      // Only the first line: after a signature mismatch AWS lists the signed headers, including the
      // session token.
      `AWS refused the credentials (${name}: ${message.split("\n", 1)[0]}). Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN), or AWS_PROFILE, or run 'aws sso login'; they need bedrock:RetrieveAndGenerate, bedrock:Retrieve and bedrock:InvokeModel in ${target.region}.`,
      { cause: thrown },
    );
  }
  if (NOT_FOUND.has(name)) {
    return new KnowledgeError(
      "ANSWER_NOT_FOUND",
      `Bedrock has no knowledge base '${target.knowledgeBaseId}' in ${target.region} (${name}: ${message}). Check BEDROCK_KB_ID, BEDROCK_MODEL_ARN and AWS_REGION.`,
      { cause: thrown },
    );
  }
  return new KnowledgeError("ANSWER_SERVICE", `${name}: ${message}`, { cause: thrown });
}

/** Connection failures may be an AggregateError without a message; its first cause has one. */
function describe(thrown: unknown): { name: string; message: string } {
  if (!(thrown instanceof Error)) return { name: "Error", message: String(thrown) };
  if (thrown instanceof AggregateError && thrown.message === "" && thrown.errors.length > 0)
    return describe(thrown.errors[0]);
  return { name: thrown.name, message: thrown.message };
}
