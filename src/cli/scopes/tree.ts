// `scopes tree` and `scopes move`: which scope inherits from which.
import { byName } from "../../text/by-name.ts";
import type { RuleOperations } from "../../tools/operations.ts";
import { KNOWLEDGE_SCOPE_PUT } from "../../tools/scopes/contract.ts";
import { missing, onlyArgument } from "../arguments.ts";
import { call, toError } from "../call.ts";
import type { CommandContext } from "../command.ts";
import { ask, type Terminal } from "../terminal/terminal.ts";

export type ScopeSummary = Awaited<ReturnType<RuleOperations["list"]>>[number];

export async function showTree({ openApp, terminal }: CommandContext): Promise<number> {
  const rules = await (await openApp()).operations.rules();
  const all = await rules.list();
  if (terminal.asJson) terminal.json(rootsOf(all).map((root) => toNode(root, all)));
  else for (const line of treeLines(rootsOf(all), all, terminal)) terminal.line(line);
  return 0;
}

/** Also those whose parent is missing: nothing may vanish from the picture. */
function rootsOf(all: readonly ScopeSummary[]): readonly ScopeSummary[] {
  const ids = new Set(all.map(({ id }) => id));
  return sorted(all.filter(({ parent }) => parent === undefined || !ids.has(parent)));
}

function childrenOf(id: string, all: readonly ScopeSummary[]): readonly ScopeSummary[] {
  return sorted(all.filter(({ parent }) => parent === id));
}

function sorted(scopes: readonly ScopeSummary[]): readonly ScopeSummary[] {
  return scopes.toSorted((one, other) => byName(one.id, other.id));
}

function toNode({ id, tier, entryCount }: ScopeSummary, all: readonly ScopeSummary[]): object {
  const children = childrenOf(id, all).map((child) => toNode(child, all));
  return { id, tier, rules: entryCount, children };
}

function treeLines(
  scopes: readonly ScopeSummary[],
  all: readonly ScopeSummary[],
  { t }: Pick<Terminal, "t">,
): readonly string[] {
  return scopes.flatMap(({ id, tier, entryCount }) => [
    t("{0} ({1}, {2|rule|rules})", id, tier, entryCount),
    ...treeLines(childrenOf(id, all), all, { t }).map((line) => `  ${line}`),
  ]);
}

type MoveContext = CommandContext<{
  readonly parent: { help: never; value: "ID" };
  readonly yes: { help: never };
}>;

export async function moveScope(context: MoveContext): Promise<number> {
  const { args, options, terminal, signal, openApp } = context;
  const { parent, yes } = options;
  const id = onlyArgument(args, "ID");
  if (parent === undefined) throw missing("--parent");
  const app = await openApp();
  const rules = await app.operations.rules();
  const all = await rules.list();
  // If it does not exist, this throws an error that suggests similar ids.
  if (!all.some((scope) => scope.id === id)) await rules.explain(id);
  if (!yes && !(await isConfirmed(all, { id, parent }, context))) {
    terminal.notify("Nothing was changed.");
    return 1;
  }
  const given = { scope_id: id, parent };
  const outcome = await call(app, { contract: KNOWLEDGE_SCOPE_PUT, args: given, signal });
  if (outcome.kind === "refused") throw toError(outcome.error);
  const { payload, value } = outcome;
  terminal.result(payload, () =>
    terminal.report("{0} now inherits from {1}", id, value.parent ?? ""),
  );
  return 0;
}

async function isConfirmed(
  all: readonly ScopeSummary[],
  { id, parent }: { readonly id: string; readonly parent: string },
  { terminal: { t }, signal }: CommandContext,
): Promise<boolean> {
  const moved = all.find((scope) => scope.id === id);
  const from = moved?.parent === undefined ? "" : t(" from {0}", moved.parent);
  const below = belowOf(id, all);
  const along = below === 0 ? "" : t(" with {0|scope|scopes} below it", below);
  return /^y(es)?$/i.test(
    await ask(
      t(
        "Move {0}{1}{2} to {3}? Inherited rules and rights change. [y/N] ",
        id,
        along,
        from,
        parent,
      ),
      signal,
    ),
  );
}

function belowOf(id: string, all: readonly ScopeSummary[]): number {
  return childrenOf(id, all).reduce((sum, child) => sum + 1 + belowOf(child.id, all), 0);
}
