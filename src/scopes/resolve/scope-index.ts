// Resolved scopes, built on request and kept until the store's version changes.
import { KnowledgeError } from "../../domain/errors.ts";
import type { ScopeStore, ScopeSummary } from "../../store/store.ts";
import { similarIds } from "../../text/similar-ids.ts";
import { toName } from "../names.ts";
import { toLayer } from "./layer.ts";
import { type ResolvedScope, resolve } from "./resolve.ts";

export interface ScopeIndex {
  /** Throws SCOPE_NOT_FOUND. */
  get(id: string): Promise<ResolvedScope>;
  list(): Promise<readonly ScopeSummary[]>;
  /** The error for an id that does not exist, with the most similar existing ids. */
  unknown(id: string): Promise<KnowledgeError>;
  /** The first ids, listed in a sentence. */
  known(): Promise<string>;
}

/** A chain is read in a fraction of a millisecond, so that only those in use are worth their memory. */
const MAX_KEPT = 32;

export function openScopeIndex(store: ScopeStore): ScopeIndex {
  const kept = { version: -1, scopes: new Map<string, Promise<ResolvedScope>>() };
  const list = openList(store);
  const unknown = async (id: string) => unknownScope(id, await list());
  const read = async (id: string) => {
    const [first, ...rest] = (await store.chain(id)).map(toLayer);
    if (first === undefined) throw await unknown(id);
    return resolve([first, ...rest]);
  };
  return {
    async get(asked) {
      const id = toName(asked);
      const version = await store.version();
      if (kept.version !== version) Object.assign(kept, { version, scopes: new Map() });
      // Kept under the version read before the content, so a change in between only drops it early. Many agents that
      // start together request the same scope; it is read once.
      const { scopes } = kept;
      const resolved = scopes.get(id) ?? read(id);
      scopes.delete(id);
      scopes.set(id, resolved);
      for (const oldest of scopes.keys()) if (scopes.size > MAX_KEPT) scopes.delete(oldest);
      resolved.catch(() => scopes.delete(id));
      return resolved;
    },
    list,
    unknown,
    known: async () => naming((await list()).map((scope) => scope.id)),
  };
}

function openList(store: ScopeStore): () => Promise<readonly ScopeSummary[]> {
  let listed: { version: number; scopes: Promise<readonly ScopeSummary[]> } | undefined;
  return async () => {
    const version = await store.version();
    if (listed?.version !== version) {
      const scopes = store.list();
      listed = { version, scopes };
      // A failed lookup is not cached.
      scopes.catch(() => {
        listed = undefined;
      });
    }
    return listed.scopes;
  };
}

// Enough for an agent that knows no id to find its own, and few enough for a message.
const MAX_NAMED = 10;

export function unknownScope(id: string, scopes: readonly ScopeSummary[]): KnowledgeError {
  const known = scopes.map((scope) => scope.id);
  const suggestions = similarIds(id, known);
  return new KnowledgeError(
    "SCOPE_NOT_FOUND",
    `No scope has the id "${id}". ${hint(suggestions, known)}`,
    { details: { scope_id: id, suggestions } },
  );
}

const quoted = (ids: readonly string[]) => ids.map((one) => `"${one}"`);

function hint(suggestions: readonly string[], known: readonly string[]): string {
  if (suggestions.length > 0) {
    return `Did you mean ${quoted(suggestions).join(" or ")}? Ids are case-sensitive.`;
  }
  return naming(known);
}

export function naming(known: readonly string[]): string {
  if (known.length === 0)
    return "There are no scopes yet. Import some with `knowledge-server scopes import PATH`.";
  const more = known.length > MAX_NAMED ? ", …" : "";
  const named = quoted(known.slice(0, MAX_NAMED)).join(", ");
  return `There ${known.length === 1 ? "is" : "are"} ${named}${more}.`;
}
