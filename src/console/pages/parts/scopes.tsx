// The scopes that the caller sees: as a tree, as a choice, and who may do what in them.
import type { ComponentChildren, ComponentProps } from "preact";
import {
  GENERAL_SCOPE,
  parseGrant,
  RIGHTS,
  type Right,
  scopesWith,
  toHolder,
} from "../../../domain/call/grants.ts";
import type { ScopesView } from "../../../tools/scopes/contract.ts";
import { t } from "../state/language.ts";
import { readJson } from "../state/mcp.ts";
import { useLive } from "../state/use-live.tsx";

export async function readScopes(signal: AbortSignal) {
  return (await readJson<ScopesView>("knowledge://scopes", signal)).scopes;
}

/** Its value is empty for the general scope. */
export function ScopeField(props: ComponentProps<"select">) {
  const { data = [] } = useLive(readScopes, 0);
  const others = data.filter(({ id }) => id !== GENERAL_SCOPE);
  return (
    <label>
      {t("Scope")}
      <select {...props}>
        <option value="">{GENERAL_SCOPE}</option>
        {others.map(({ id }) => (
          <option key={id}>{id}</option>
        ))}
      </select>
    </label>
  );
}

/** The general scope is there although nobody has written rules for it. */
export function parentsOf(
  scopes: readonly { readonly id: string; readonly parent?: string | null }[],
): Parents {
  const parents = new Map<string, string | undefined>([[GENERAL_SCOPE, undefined]]);
  for (const { id, parent } of scopes) parents.set(id, parent ?? undefined);
  return parents;
}

export function rightsOf(rights: readonly string[], parents: Parents) {
  const holder = toHolder(rights.flatMap((text) => parseGrant(text) ?? []));
  const where = RIGHTS.map((right) => [right, scopesWith(holder, right, { parents })] as const);
  return (id: string): readonly Right[] =>
    where.filter(([, ids]) => ids === undefined || ids.has(id)).map(([right]) => right);
}

type Parents = ReadonlyMap<string, string | undefined>;

interface ScopeTreeProps {
  readonly parents: Parents;
  readonly row: (id: string) => ComponentChildren;
  /** Only what is below it. */
  readonly under?: string;
}

/** Scopes below those they inherit from; also those whose parent is missing or not seen. */
export function ScopeTree({ parents, row, under }: ScopeTreeProps) {
  const isHere = (parent: string | undefined) =>
    under === undefined ? parent === undefined || !parents.has(parent) : parent === under;
  const ids = [...parents].filter(([, parent]) => isHere(parent)).map(([id]) => id);
  if (ids.length === 0) return null;
  return (
    <ul class="scope-tree">
      {ids.map((id) => (
        <li key={id}>
          {row(id)}
          <ScopeTree parents={parents} row={row} under={id} />
        </li>
      ))}
    </ul>
  );
}
