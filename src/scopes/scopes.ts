// The door of the room: rules in a hierarchy, resolved in memory, followed as the store changes.
import { KnowledgeError } from "../domain/errors.ts";
import type { Log } from "../observe/log.ts";
import type { ScopeChange, ScopeStore, ScopeSummary } from "../store/store.ts";
import { type Authoring, openAuthoring } from "./author.ts";
import { check, type Finding } from "./check.ts";
import { type Explanation, explain } from "./explain.ts";
import { type ExportFormat, exportScopes } from "./export.ts";
import type { ImportOptions, ImportReport } from "./import/import.ts";
import { toLayer } from "./layer.ts";
import { type CacheLimits, type LayerCache, openLayerCache } from "./layer-cache.ts";
import { toMarkdown } from "./markdown.ts";
import { byName, toName } from "./names.ts";
import { nearest } from "./nearest.ts";
import { type ResolvedScope, resolve } from "./resolve.ts";

export type { EntryPut, EntryRemoved, ScopePut, ScopeRemoved, Written } from "./author.ts";
export type { Finding } from "./check.ts";
export type { ExplainedEntry, Explanation } from "./explain.ts";
export { EXPORT_FORMATS, type ExportFormat } from "./export.ts";
export type { ImportOptions, ImportReport, SourceReport } from "./import/import.ts";
export type { Refusal } from "./import/rules.ts";
export { LIMITS } from "./names.ts";
export type {
  Ambiguity,
  EntriesFound,
  KeywordsFound,
  ResolvedCategory,
  ResolvedEntry,
  ResolvedScope,
} from "./resolve.ts";

export interface Scopes extends Authoring {
  /** Throws SCOPE_NOT_FOUND. Answers at once, without a promise, when the scope is in memory. */
  get(id: string): ResolvedScope | Promise<ResolvedScope>;
  list(): Promise<readonly ScopeSummary[]>;
  /** Ids that begin with, then ids that contain what was typed. */
  complete(typed: string): Promise<readonly string[]>;
  explain(id: string): Promise<Explanation>;
  /** The resolved rules as Markdown. */
  page(id: string): Promise<string>;
  check(): Promise<readonly Finding[]>;
  export(format: ExportFormat, ids?: readonly string[]): Promise<string>;
  import(paths: readonly string[], options: ImportOptions): Promise<ImportReport>;
  /** Told after every change, this process's or another's; call the result to stop. */
  onChange(listener: () => void): () => void;
  /** What the resolved scopes in memory take, about. */
  memory(): { readonly scopes: number; readonly bytes: number };
  close(): void;
}

export interface ScopesOptions {
  readonly store: ScopeStore;
  readonly log: Log;
  readonly cache?: CacheLimits;
  /** How often listeners learn of another process's changes. Readers never wait for it. */
  readonly pollMs?: number;
}

const CACHE: CacheLimits = { scopes: 1_000, bytes: 64 * 1024 * 1024 };
const POLL_MS = 1_000;

export function openScopes(options: ScopesOptions): Scopes {
  const { store, log } = options;
  const index = openIndex(store, options.cache ?? CACHE);
  const changes = openChanges(store, options.pollMs ?? POLL_MS);

  const apply = async (wanted: readonly ScopeChange[]) => {
    if (wanted.length === 0) return;
    await store.apply(wanted);
    log.info("scopes.changed", { changes: wanted.length });
    await changes.look();
  };

  return {
    ...openAuthoring({ get: index.get, list: index.list, apply }),
    get: index.get,
    list: index.list,
    complete: async (typed) => completions(typed, await index.list()),
    explain: async (id) => {
      const chain = await store.chain(toName(id));
      if (chain.length === 0) throw await index.unknown(id);
      return explain(chain);
    },
    page: async (id) => toMarkdown(await index.get(id)),
    check: async () => check(await store.all()),
    export: async (format, ids) => {
      const all = await store.all();
      if (ids === undefined) return exportScopes(all, format);
      const wanted = new Set(ids.map(toName));
      for (const id of wanted) if (!all.some((one) => one.id === id)) throw await index.unknown(id);
      return exportScopes(
        all.filter((one) => wanted.has(one.id)),
        format,
      );
    },
    import: async (paths, importOptions) => {
      // Readers of rules never pay for the parsers.
      const { importPaths } = await import("./import/import.ts");
      const { report, changes: wanted } = await importPaths(paths, store, importOptions);
      if (report.applied) await apply(wanted);
      return report;
    },
    onChange: changes.listen,
    memory: index.memory,
    close: changes.close,
  };
}

function openIndex(store: ScopeStore, limits: CacheLimits) {
  let cache: LayerCache = openLayerCache(-1, limits);
  let listed: { version: number; scopes: Promise<readonly ScopeSummary[]> } | undefined;

  const at = (version: number): LayerCache => {
    if (cache.version !== version) cache = openLayerCache(version, limits);
    return cache;
  };
  const build = async (id: string, into: LayerCache): Promise<ResolvedScope> => {
    const chain = await store.chain(id);
    const [first, ...rest] = chain.map((one) => into.layer(one.id) ?? toLayer(one));
    if (first === undefined) throw await unknown(id);
    const resolved = resolve([first, ...rest]);
    // Kept under the version read before the content: a change in between only drops it early.
    into.keep(id, resolved, [first, ...rest]);
    return resolved;
  };
  const within = (id: string, version: number) => {
    const current = at(version);
    return current.resolved(id) ?? build(id, current);
  };
  const list = async () => {
    const version = await store.version();
    if (listed?.version !== version) listed = { version, scopes: store.list() };
    return listed.scopes;
  };
  const unknown = async (id: string) => {
    const suggestions = nearest(
      id,
      (await list()).map((scope) => scope.id),
    );
    return unknownScope(id, suggestions);
  };

  return {
    get: (asked: string): ResolvedScope | Promise<ResolvedScope> => {
      const id = toName(asked);
      const version = store.version();
      return typeof version === "number"
        ? within(id, version)
        : version.then((known) => within(id, known));
    },
    list,
    unknown,
    memory: () => cache.size(),
  };
}

function unknownScope(id: string, suggestions: readonly string[]): KnowledgeError {
  const hint =
    suggestions.length === 0
      ? "Its rules may not be imported yet; `knowledge-server scopes import` does that."
      : `Did you mean ${suggestions.map((one) => `"${one}"`).join(" or ")}? Ids are case-sensitive.`;
  return new KnowledgeError("SCOPE_NOT_FOUND", `No scope has the id "${id}". ${hint}`, {
    details: { scope_id: id, suggestions },
  });
}

function completions(typed: string, scopes: readonly ScopeSummary[]): readonly string[] {
  const wanted = toName(typed).toLowerCase();
  const ids = scopes.map((scope) => scope.id).sort(byName);
  const begins = ids.filter((id) => id.toLowerCase().startsWith(wanted));
  const holds = ids.filter(
    (id) => !id.toLowerCase().startsWith(wanted) && id.toLowerCase().includes(wanted),
  );
  return [...begins, ...holds];
}

function openChanges(store: ScopeStore, pollMs: number) {
  const listeners = new Set<() => void>();
  let seen: number | undefined;
  let timer: NodeJS.Timeout | undefined;

  const look = async () => {
    if (listeners.size === 0) return;
    const version = await store.version();
    if (version === seen) return;
    const first = seen === undefined;
    seen = version;
    if (!first) for (const listener of listeners) listener();
  };
  const quietly = () => {
    look().catch(() => {
      // A store that is away is reported by the calls that need it; the next look tries again.
    });
  };
  const close = () => {
    clearInterval(timer);
    timer = undefined;
    listeners.clear();
  };
  return {
    look,
    close,
    listen: (listener: () => void) => {
      listeners.add(listener);
      if (timer === undefined) {
        quietly();
        timer = setInterval(quietly, pollMs).unref();
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) close();
      };
    },
  };
}
