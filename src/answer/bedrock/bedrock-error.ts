// What the SDK throws → the catalogue. The exception's name and message are kept: the contract asks for them.
import { KnowledgeError } from "../../domain/errors.ts";
import type { BedrockTarget } from "../choose-source.ts";

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
