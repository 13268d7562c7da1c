// Computes what an import would change, and reports on every source. Nothing is written here.
import { defined } from "../../domain/defined.ts";
import { KnowledgeError } from "../../domain/errors.ts";
import type { Message } from "../../domain/phrases/messages.ts";
import type { ScopeContent } from "../../domain/scope.ts";
import type { ScopeChange, ScopeStore } from "../../store/store.ts";
import type { Gathered, Refusal } from "./formats/rules.ts";
import type { Target } from "./gather.ts";
import { gather } from "./gather.ts";
import { plan, type ScopeOutcome } from "./plan.ts";

export interface ImportOptions extends Partial<Target> {
  /**
   * Removes entries and categories of the imported scopes that the sources no longer have. Implies
   * `strict`.
   */
  readonly prune?: boolean;
  /** A single refusal stops the whole import. */
  readonly strict?: boolean;
  /** Existing scopes may change their tier or parent. */
  readonly replace?: boolean;
  readonly dryRun?: boolean;
}

interface SourceReport {
  readonly source: string;
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly refused: number;
}

export interface ImportReport {
  /** False for a dry run, after a fatal refusal, and after any refusal if `strict` or `prune` is set. */
  readonly applied: boolean;
  readonly scopes: readonly ScopeOutcome[];
  /** The first changed rules, with their texts. */
  readonly rules: readonly RuleChange[];
  readonly sources: readonly SourceReport[];
  readonly refused: readonly Refusal[];
  readonly fatal: readonly Refusal[];
  /** Entries of the imported scopes that are in no source: removed with `prune`, otherwise left alone. */
  readonly notInSources: number;
  readonly removed: number;
  readonly notes: readonly Message[];
}

const NOTHING = { added: 0, changed: 0, unchanged: 0 };

type KnownScopes = Pick<ScopeStore, "list" | "all">;

export async function importPaths(
  paths: readonly string[],
  store: KnownScopes,
  options: ImportOptions,
): Promise<{ readonly report: ImportReport; readonly changes: readonly ScopeChange[] }> {
  if (paths.length === 0) {
    throw new KnowledgeError("MISSING_REQUIRED_PARAMETER", "Pass the files or folders to import.");
  }
  const known = new Map((await store.list()).map((scope) => [scope.id, scope]));
  const target = { guides: false, ...options };
  const parts: Gathered[] = [];
  for (const path of paths) parts.push(await gather(path, target, known));
  const scopes = parts.flatMap((part) => part.scopes);
  const ids = new Set(scopes.map(({ id }) => id));
  const stored = (await store.all()).filter(({ id }) => ids.has(id));
  const contents = new Map(stored.map((scope) => [scope.id, scope]));
  const { prune = false, replace = false } = options;
  const planned = plan(scopes, { known, contents, prune, replace });
  const refused = [...parts.flatMap((part) => part.refused), ...planned.refused];
  const fatal = [...parts.flatMap((part) => part.fatal), ...planned.fatal];
  // A refused rule is still in its source, so pruning without it would remove it from the store.
  const needsAll = options.strict === true || prune;
  const stopped = fatal.length > 0 || (needsAll && refused.length > 0);
  const all = [...refused, ...fatal];
  const sources = [...new Set(parts.flatMap((part) => part.sources))].map((source) => ({
    source,
    ...((stopped ? undefined : planned.counts.get(source)) ?? NOTHING),
    refused: all.filter((one) => one.source === source).length,
  }));
  const report = {
    applied: !stopped && options.dryRun !== true,
    scopes: stopped ? planned.scopes.map(asRefused) : planned.scopes,
    rules: stopped ? [] : ruleChanges(planned.changes, contents),
    sources,
    refused,
    fatal,
    notInSources: planned.notInSources,
    removed: prune ? planned.notInSources : 0,
    notes: parts.flatMap((part) => part.notes),
  };
  return { report, changes: stopped ? [] : planned.changes };
}

/** A stopped import writes nothing, so none of its rules count as added. */
function asRefused(scope: ScopeOutcome): ScopeOutcome {
  return scope.outcome === "unchanged" ? scope : { ...scope, outcome: "refused" };
}

interface RuleChange {
  readonly scope: string;
  readonly category: string;
  readonly keyword: string;
  readonly outcome: "added" | "changed" | "removed";
  readonly before?: string;
  readonly after?: string;
}

// Nobody reads more than this; the counts include all of them.
const MAX_RULES = 200;
const MAX_SHOWN = 2_000;

/** The rules that an import changes, with their texts, for a preview. */
function ruleChanges(
  changes: readonly ScopeChange[],
  contents: ReadonlyMap<string, ScopeContent>,
): readonly RuleChange[] {
  const found: RuleChange[] = [];
  for (const change of changes) {
    if (found.length === MAX_RULES) break;
    if (change.kind !== "put-entry" && change.kind !== "remove-entry") continue;
    const { scope, category, keyword } = change;
    const entries = contents.get(scope)?.entries;
    const entry = entries?.find((one) => one.category === category && one.keyword === keyword);
    const before = entry && shorten(entry.content);
    const after = change.kind === "put-entry" ? shorten(change.content) : undefined;
    const put = entry === undefined ? "added" : "changed";
    const outcome = after === undefined ? "removed" : put;
    found.push({ scope, category, keyword, outcome, ...defined({ before, after }) });
  }
  return found;
}

function shorten(text: string): string {
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN).toWellFormed()}…`;
}
