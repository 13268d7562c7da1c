// What a document's metadata may hold. It travels with every search result, between threads and into every store,
// so it is bounded here once, for every way in. The walk keeps its own list: a deep value must not exhaust the stack.

import type { Metadata } from "./document.ts";
import { KnowledgeError } from "./errors.ts";
import { isInternalKey } from "./internal-metadata.ts";
import { toMessage } from "./phrases/messages.ts";

export const METADATA_LIMITS = {
  /** Nesting depth, counting the metadata itself: far more than a person writes. */
  depth: 16,
  /** Members of one object or list. */
  width: 1_000,
  /** Values of all kinds together. */
  nodes: 2_000,
  /** As JSON. */
  characters: 20_000,
} as const;

/** Reserved: it will name the part of the knowledge base that a document belongs to. */
const RESERVED = "collection";

/** The problem as the end of a sentence that starts with its name; undefined if there is none. */
export function metadataProblem(metadata: unknown): string | undefined {
  if (typeof metadata !== "object" || metadata === null || Array.isArray(metadata)) {
    return "must be an object";
  }
  const isTooLong = () => JSON.stringify(metadata).length > METADATA_LIMITS.characters;
  return shapeProblem(metadata) ?? (isTooLong() ? tooLong() : undefined);
}

export function checkMetadata(metadata: Metadata): void {
  const problem = metadataProblem(metadata) ?? ownProblem(metadata);
  if (problem !== undefined) throw invalid(problem);
}

function invalid(problem: string): KnowledgeError {
  const details = { parameter: "metadata" };
  return new KnowledgeError("INVALID_PARAMETER", `'metadata': ${problem}.`, { details });
}

function ownProblem(metadata: Metadata): string | undefined {
  if (Object.hasOwn(metadata, RESERVED))
    return `must not have a member named '${RESERVED}', which is reserved; use tags or another name`;
  const isTaken = Object.keys(metadata).some(isInternalKey);
  return isTaken
    ? "must not have members named $revision, $filename, $web or $file, which the server uses itself"
    : undefined;
}

/** A file's own metadata without reserved names; empty if it is out of bounds. */
export function toFileMetadata(found: unknown): Metadata {
  if (typeof found !== "object" || found === null || Array.isArray(found)) return {};
  const entries = Object.entries(found).filter(
    ([key, value]) =>
      value !== null && key !== RESERVED && key !== "__proto__" && !isInternalKey(key),
  );
  return fittingMetadata(Object.fromEntries(entries)) ?? {};
}

/** The file's metadata, overridden by the caller's; if both together are too much, the caller's only. */
export function withFileMetadata(file: Metadata, given: Metadata): Metadata {
  const both = { ...file, ...given };
  return metadataProblem(both) === undefined ? both : given;
}

/** Merged into a document's metadata: repeated adds must not exceed the bounds either. */
export function mergeMetadata(before: Metadata, added: Metadata): Metadata {
  if (Object.keys(added).length === 0) return before;
  const merged = { ...before, ...added };
  const problem = metadataProblem(merged);
  if (problem === undefined) return merged;
  throw invalid(`together with the document's existing metadata, it ${problem}`);
}

/** Among the warnings of a document whose metadata is not shown. */
export const UNREADABLE_METADATA = toMessage("metadataUnreadable");

/** What another program or an earlier version stored; undefined when it is not within the bounds. */
export function fittingMetadata(stored: unknown): Metadata | undefined {
  return metadataProblem(stored) === undefined ? (stored as Metadata) : undefined;
}

interface Node {
  readonly value: unknown;
  readonly depth: number;
}

function shapeProblem(metadata: object): string | undefined {
  const { depth: deepest, nodes: most } = METADATA_LIMITS;
  const open: Node[] = [{ value: metadata, depth: 1 }];
  for (let seen = 1; ; seen++) {
    const node = open.pop();
    if (node === undefined) return undefined;
    if (seen > most) return `must have at most ${most} values`;
    const problem = valueProblem(node.value);
    if (problem !== undefined) return problem;
    if (typeof node.value !== "object" || node.value === null) continue;
    if (node.depth > deepest) return `must be nested at most ${deepest} levels deep`;
    for (const value of Object.values(node.value)) open.push({ value, depth: node.depth + 1 });
  }
}

function valueProblem(value: unknown): string | undefined {
  if (typeof value === "string") return textProblem(value);
  if (typeof value === "number") {
    return Number.isFinite(value) ? undefined : "must not contain numbers beyond ±1.8e308";
  }
  if (typeof value !== "object" || value === null) {
    const isJson = value === null || typeof value === "boolean";
    return isJson ? undefined : "must contain only JSON";
  }
  const keys = Object.keys(value);
  if (keys.length > METADATA_LIMITS.width) {
    return `must have at most ${METADATA_LIMITS.width} members in one object or list`;
  }
  // Assigning to it sets an object's prototype, so copying an object loses it, or worse.
  if (keys.includes("__proto__")) return "must not have a member named '__proto__'";
  for (const key of keys) {
    const problem = textProblem(key);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** PostgreSQL can store neither. */
function textProblem(text: string): string | undefined {
  if (text.length > METADATA_LIMITS.characters) return tooLong();
  const isWhole = text.isWellFormed() && !text.includes("\0");
  return isWhole ? undefined : "must not contain NUL characters or lone surrogates";
}

function tooLong(): string {
  return `must have at most ${METADATA_LIMITS.characters} characters as JSON`;
}
