import { defined } from "../../domain/defined.ts";
import type { ScopeSummary } from "../../store/store.ts";
import { KNOWLEDGE_SCOPES } from "./contract.ts";
import { type OpenScopes, respond, scopesTool } from "./tool.ts";

// Enough to choose from; a company may have thousands.
const MAX_SCOPES = 200;

export function knowledgeScopes(open: OpenScopes) {
  return scopesTool({
    contract: KNOWLEDGE_SCOPES,
    title: "List scopes of rules",
    effect: "read",
    description:
      "List the scopes of rules as a tree: each follows the scope that it inherits from. Use it to find the scope of your project.",
    run: async ({ under }, context) => {
      const scopes = await open(context);
      // Refuses an unknown id, and names similar ones.
      const from = under === undefined ? undefined : (await scopes.get(under)).scope.id;
      const tree = toTree(await scopes.list(), from);
      const message = tree.length > MAX_SCOPES && { message: "Pass `under` to see a part" };
      return respond({
        success: true,
        scopes: tree.slice(0, MAX_SCOPES).map(toRow),
        total: tree.length,
        ...message,
      });
    },
  });
}

interface Node {
  readonly scope: ScopeSummary;
  readonly depth: number;
}

function toTree(all: readonly ScopeSummary[], from: string | undefined): readonly Node[] {
  const below = Map.groupBy(all, ({ parent }) => parent);
  const walk = (scope: ScopeSummary, depth: number): readonly Node[] => [
    { scope, depth },
    ...(below.get(scope.id) ?? []).flatMap((child) => walk(child, depth + 1)),
  ];
  const ids = new Set(all.map(({ id }) => id));
  const isRoot = ({ id, parent }: ScopeSummary) =>
    from === undefined ? parent === undefined || !ids.has(parent) : id === from;
  return all.filter(isRoot).flatMap((scope) => walk(scope, 0));
}

function toRow({ scope: { id, tier, parent, description, entryCount }, depth }: Node) {
  return { scope_id: id, tier, depth, ...defined({ parent, description }), rules: entryCount };
}
