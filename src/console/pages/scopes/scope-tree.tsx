import type { ScopeRow } from "../../../tools/scopes/contract.ts";
import { toHash } from "../state/route.ts";

interface TreeProps {
  readonly scopes: readonly ScopeRow[];
  readonly selected: string | undefined;
  readonly parent?: string;
}

export function ScopeTree({ scopes, selected, parent }: TreeProps) {
  const known = new Set(scopes.map((scope) => scope.id));
  const children = scopes.filter((scope) =>
    parent === undefined ? !scope.parent || !known.has(scope.parent) : scope.parent === parent,
  );
  if (children.length === 0) return null;
  return (
    <ul>
      {children.map((scope) => (
        <li key={scope.id}>
          <a
            href={toHash("scopes", scope.id)}
            aria-current={scope.id === selected ? "true" : undefined}
          >
            {scope.id} <span class="badge">{scope.tier}</span>
          </a>
          <ScopeTree scopes={scopes} selected={selected} parent={scope.id} />
        </li>
      ))}
    </ul>
  );
}
