// Rules in a hierarchy, resolved in memory, followed as the store changes.
import { chainOf, GENERAL_SCOPE, type ScopeParents } from "../domain/call/grants.ts";
import type { Sight } from "../domain/call/sight.ts";
import type { ExportFormat, RuleFileFormat, ScopeContent } from "../domain/scope.ts";
import type { Log } from "../observe/log.ts";
import type { ScopeChange, ScopeStore, ScopeSummary } from "../store/store.ts";
import { byName } from "../text/by-name.ts";
import { type Authoring, openAuthoring } from "./author/author.ts";
import { check, type Finding } from "./author/check.ts";
import { type Explanation, explain } from "./author/explain.ts";
import { exportScopes } from "./author/export.ts";
import type { RuleFiles } from "./author/export-files.ts";
import type { RuleFile } from "./import/from-files.ts";
import type { ImportOptions, ImportReport } from "./import/import.ts";
import { toMarkdown } from "./markdown.ts";
import { toName } from "./names.ts";
import { openScopeIndex, type ScopeIndex } from "./resolve/scope-index.ts";
import { seenIndex, seenStore } from "./resolve/seen-index.ts";

export type { Explanation } from "./author/explain.ts";
export type { Refusal } from "./import/formats/rules.ts";
export type { ImportReport } from "./import/import.ts";
export type { ResolvedEntry } from "./resolve/resolve.ts";

/** What a caller may see of the rules, and who refuses its changes. */
interface Seer {
  readonly sight: Sight | undefined;
  /** Rejects a change that the caller may not make. */
  readonly admit: (changes: readonly ScopeChange[]) => Promise<void>;
}

export interface Scopes extends Authoring, Pick<ScopeIndex, "get" | "list" | "known"> {
  /** The same for one caller. To it, other scopes do not exist. */
  seenBy(seer: Seer): Scopes;
  /** Who inherits from whom. */
  tree(): Promise<ScopeParents>;
  /** The scope and those it inherits from, nearest first; throws SCOPE_NOT_FOUND. */
  chain(id: string): Promise<readonly string[]>;
  /** Returns ids that begin with the typed text, then ids that contain it. */
  complete(typed: string): Promise<readonly string[]>;
  explain(id: string): Promise<Explanation>;
  /** The resolved rules as Markdown, for one category or all. */
  page(id: string, category?: string): Promise<string>;
  check(): Promise<readonly Finding[]>;
  export(format: ExportFormat, ids?: readonly string[]): Promise<string>;
  /** The scope's own rules as files for coding agents, by path. */
  exportFiles(format: RuleFileFormat, id: string): Promise<RuleFiles>;
  import(paths: readonly string[], options: ImportOptions): Promise<ImportReport>;
  /** Does the same for files that are not on this machine's disk. */
  importFiles(files: readonly RuleFile[], options: ImportOptions): Promise<ImportReport>;
  /** The listener is called after every change by this process or another; call the result to stop. */
  onChange(listener: () => void): () => void;
  close(): void;
}

export interface ScopesOptions {
  readonly store: ScopeStore;
  readonly log: Log;
  /** How often listeners learn of other processes' changes. Readers never wait for it. */
  readonly pollMs?: number;
}

const POLL_MS = 1_000;

export function openScopes(options: ScopesOptions): Scopes {
  const { store, log } = options;
  const index = openScopeIndex(store);
  const versions = pollVersion(store, options.pollMs ?? POLL_MS);

  const apply = async (wanted: readonly ScopeChange[]) => {
    if (wanted.length === 0) return;
    await store.apply(wanted);
    log.info("scopes.changed", { changes: wanted.length });
    await versions.check();
  };
  return assemble({ index, store, apply, versions });
}

interface Parts {
  readonly index: ScopeIndex;
  readonly store: ScopeStore;
  readonly apply: (changes: readonly ScopeChange[]) => Promise<void>;
  readonly versions: ReturnType<typeof pollVersion>;
}

function assemble({ index, store, apply, versions }: Parts): Scopes {
  return {
    ...openAuthoring({ get: index.get, list: index.list, apply }),
    ...openImports(store, apply),
    ...index,
    seenBy: ({ sight, admit }) => {
      const admitted = async (changes: readonly ScopeChange[]) => {
        await admit(changes);
        await apply(changes);
      };
      if (sight === undefined) return assemble({ index, store, apply: admitted, versions });
      const seen = { index: seenIndex(index, sight), store: seenStore(store, sight) };
      return assemble({ ...seen, apply: admitted, versions });
    },
    tree: async () => treeOf(await index.list()),
    chain: async (asked) => {
      const id = toName(asked);
      const tree = treeOf(await index.list());
      if (id !== GENERAL_SCOPE && !tree.parents.has(id)) throw await index.unknown(id);
      return chainOf(id, tree);
    },
    complete: async (typed) => completions(typed, await index.list()),
    explain: async (id) => {
      const chain = await store.chain(toName(id));
      if (chain.length === 0) throw await index.unknown(id);
      return explain(chain);
    },
    page: async (id, category) => toMarkdown(await index.get(id), category),
    check: async () => check(await store.all()),
    export: async (format, ids) => exportScopes(await named(ids, store, index), format),
    exportFiles: async (format, id) => {
      const { toRuleFiles } = await import("./author/export-files.ts");
      const [scope] = await named([id], store, index);
      return toRuleFiles(scope as ScopeContent, format);
    },
    onChange: versions.listen,
    close: versions.close,
  };
}

function treeOf(scopes: readonly ScopeSummary[]): ScopeParents {
  return { parents: new Map(scopes.map(({ id, parent }) => [id, parent])) };
}

function openImports(
  store: ScopeStore,
  apply: (changes: readonly ScopeChange[]) => Promise<void>,
): Pick<Scopes, "import" | "importFiles"> {
  const importPaths: Scopes["import"] = async (paths, options) => {
    // Loaded here so that callers who only read rules do not load the parsers.
    const importer = await import("./import/import.ts");
    const { report, changes } = await importer.importPaths(paths, store, options);
    if (report.applied) await apply(changes);
    return report;
  };
  return {
    import: importPaths,
    importFiles: async (files, options) => {
      const { importFiles } = await import("./import/from-files.ts");
      return importFiles(files, (paths) => importPaths(paths, options));
    },
  };
}

/** Returns the scopes with these ids, or all; throws if an id is unknown. */
async function named(
  ids: readonly string[] | undefined,
  store: ScopeStore,
  index: ScopeIndex,
): Promise<readonly ScopeContent[]> {
  const all = await store.all();
  const wanted = new Set(ids?.map(toName) ?? all.map(({ id }) => id));
  const found = all.filter(({ id }) => wanted.delete(id));
  for (const id of wanted) throw await index.unknown(id);
  return found;
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

/** Polls the version of the rules while there are listeners, so that they also learn of another process's changes. */
function pollVersion(store: ScopeStore, pollMs: number) {
  const listeners = new Set<() => void>();
  let seen: number | undefined;
  let timer: NodeJS.Timeout | undefined;

  /** Notifies the listeners if the store's version has changed since the last check. */
  const check = async () => {
    if (listeners.size === 0) return;
    const version = await store.version();
    if (version === seen) return;
    const first = seen === undefined;
    seen = version;
    if (!first) for (const listener of listeners) listener();
  };
  const quietly = () => {
    check().catch(() => {
      // Calls that need the store report that it is unavailable; the next check tries again.
    });
  };
  const close = () => {
    clearInterval(timer);
    timer = undefined;
    listeners.clear();
  };
  return {
    check,
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
