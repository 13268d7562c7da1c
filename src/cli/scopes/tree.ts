// `scopes tree` and `scopes move`: which scope inherits from which.
import { byName } from "../../text/by-name.ts";
import type { RuleOperations } from "../../tools/operations.ts";
import { KNOWLEDGE_SCOPE_PUT } from "../../tools/scopes/contract.ts";
import { missing } from "../arguments.ts";
import { call, toError } from "../call.ts";
import type { CommandContext } from "../command.ts";
import { ask, type Terminal } from "../terminal/terminal.ts";

type Summary = Awaited<ReturnType<RuleOperations["list"]>>[number];

export async function showTree(
  rules: RuleOperations,
  { terminal }: CommandContext,
): Promise<number> {
  const all = await rules.list();
  if (terminal.asJson) terminal.json(rootsOf(all).map((root) => toNode(root, all)));
  else for (const line of treeLines(rootsOf(all), all, terminal)) terminal.line(line);
  return 0;
}

/** Also those whose parent is missing: nothing may vanish from the picture. */
function rootsOf(all: readonly Summary[]): readonly Summary[] {
  const ids = new Set(all.map(({ id }) => id));
  return sorted(all.filter(({ parent }) => parent === undefined || !ids.has(parent)));
}

function childrenOf(id: string, all: readonly Summary[]): readonly Summary[] {
  return sorted(all.filter(({ parent }) => parent === id));
}

function sorted(scopes: readonly Summary[]): readonly Summary[] {
  return scopes.toSorted((one, other) => byName(one.id, other.id));
}

function toNode({ id, tier, entryCount }: Summary, all: readonly Summary[]): object {
  const children = childrenOf(id, all).map((child) => toNode(child, all));
  return { id, tier, rules: entryCount, children };
}

function treeLines(
  scopes: readonly Summary[],
  all: readonly Summary[],
  { t }: Pick<Terminal, "t">,
): readonly string[] {
  return scopes.flatMap(({ id, tier, entryCount }) => [
    t("treeRow", id, tier, entryCount),
    ...treeLines(childrenOf(id, all), all, { t }).map((line) => `  ${line}`),
  ]);
}

export async function moveScope(
  rules: RuleOperations,
  [id]: readonly string[],
  context: CommandContext,
): Promise<number> {
  const { options, terminal, signal, openApp } = context;
  const { parent } = options;
  if (id === undefined) throw missing("ID");
  if (typeof parent !== "string") throw missing("--parent");
  const all = await rules.list();
  // If it does not exist, this throws an error that suggests similar ids.
  if (!all.some((scope) => scope.id === id)) await rules.explain(id);
  if (options["yes"] !== true && !(await isConfirmed(all, { id, parent }, context))) {
    terminal.note(terminal.t("nothingChanged"));
    return 1;
  }
  const args = { scope_id: id, parent };
  const outcome = await call(await openApp(), { contract: KNOWLEDGE_SCOPE_PUT, args, signal });
  if (outcome.kind === "refused") throw toError(outcome.error);
  const { payload, value } = outcome;
  terminal.result(payload, () => terminal.line(terminal.t("inherits", id, value.parent ?? "")));
  return 0;
}

async function isConfirmed(
  all: readonly Summary[],
  { id, parent }: { readonly id: string; readonly parent: string },
  { terminal: { t }, signal }: CommandContext,
): Promise<boolean> {
  const moved = all.find((scope) => scope.id === id);
  const from = moved?.parent === undefined ? "" : t("moveFrom", moved.parent);
  const below = belowOf(id, all);
  const along = below === 0 ? "" : t("moveBelow", below);
  return /^y(es)?$/i.test(await ask(t("askMove", id, along, from, parent), signal));
}

function belowOf(id: string, all: readonly Summary[]): number {
  return childrenOf(id, all).reduce((sum, child) => sum + 1 + belowOf(child.id, all), 0);
}
