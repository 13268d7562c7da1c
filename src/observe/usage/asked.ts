// Which calls are counted, and whether they found anything. The question itself is not read.
import type { Asked } from "./usage.ts";

const KINDS = new Map(
  Object.entries<Asked["kind"]>({
    "knowledge-search": "search",
    search: "search",
    kb_answer: "answer",
  }),
);

/** The console sends this with searches while a person types. */
const TYPED = "knowledge-server/typed";

interface Ended {
  readonly tool: string;
  readonly who: string;
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  /** The structured content of its result. */
  readonly content: unknown;
}

/** Undefined for a call that is neither a search nor a question. */
export function toAsked({ tool, who, meta, content }: Ended): Asked | undefined {
  const kind = KINDS.get(tool);
  if (kind === undefined) return undefined;
  const typed = meta?.[TYPED] === true ? { typedBy: who } : {};
  return { kind, found: hasFound(content), ...typed };
}

function hasFound(content: unknown): boolean {
  const { results, outcome, grounded } = (content ?? {}) as Record<string, unknown>;
  if (Array.isArray(results)) return results.length > 0;
  return outcome === undefined ? grounded !== false : outcome !== "nothing";
}
