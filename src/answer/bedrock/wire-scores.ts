// The response may contain a `score` per reference, which the SDK's model of this operation drops.
import type { RetrieveAndGenerateCommand } from "@aws-sdk/client-bedrock-agent-runtime";

export interface Scores {
  /** The score of reference `index` in citation `citation`; null if the service sent none. */
  of(citation: number, index: number): number | null;
}

interface WireBody {
  readonly citations?: readonly {
    readonly retrievedReferences?: readonly { readonly score?: unknown }[];
  }[];
}

/** Reads the response's bytes before the SDK does, for this one command. */
export function keepScores(command: RetrieveAndGenerateCommand): Scores {
  let body: WireBody = {};
  command.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const response = result.response as { statusCode?: number; body?: unknown };
      const bytes = await collect(response.body);
      response.body = bytes;
      if (response.statusCode === 200) body = parse(bytes);
      return result;
    },
    { step: "deserialize", priority: "low", name: "keepScores" },
  );
  return {
    of: (citation, index) => {
      const score = body.citations?.[citation]?.retrievedReferences?.[index]?.score;
      return typeof score === "number" ? score : null;
    },
  };
}

async function collect(body: unknown): Promise<Uint8Array> {
  if (body instanceof Uint8Array) return body;
  const parts: Uint8Array[] = [];
  for await (const part of body as AsyncIterable<Uint8Array>) parts.push(part);
  return Buffer.concat(parts);
}

/** If the body is not JSON, the SDK reports it. */
function parse(bytes: Uint8Array): WireBody {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
