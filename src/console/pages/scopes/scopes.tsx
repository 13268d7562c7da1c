import { useState } from "preact/hooks";
import type { ScopeRow, ScopesView } from "../../../tools/scopes/contract.ts";
import { Button } from "../parts/button.tsx";
import { Empty, Failed } from "../parts/notices.tsx";
import { useI18n } from "../state/language.ts";
import { readJson } from "../state/mcp.ts";
import { isOffered, useOffered } from "../state/offered-tools.ts";
import { navigate, type Route, toHash } from "../state/route.ts";
import { useLive } from "../state/use-live.ts";
import { ScopeForm } from "./forms.tsx";
import { ImportDialog, useRuleDrop } from "./import.tsx";
import type { RuleFiles } from "./rule-files.ts";
import { ScopeDetail } from "./scope-detail.tsx";

export function Scopes({ route }: { route: Route }) {
  const [adding, setAdding] = useState(false);
  const [dropped, setDropped] = useState<RuleFiles>();
  const offers = isOffered(useOffered(), "knowledge-scope-put");
  useRuleDrop(offers, setDropped);
  const { data, error, refresh } = useLive(
    (signal) => readJson<ScopesView>("knowledge://scopes", signal),
    3_000,
  );
  const scopes = data?.scopes ?? [];
  const open = (id: string | undefined) => {
    setAdding(false);
    setDropped(undefined);
    refresh();
    if (id) navigate(toHash("scopes", id));
  };
  return (
    <>
      <Head
        offers={offers}
        hasScope={route.id !== undefined}
        onAdd={() => setAdding(true)}
        onImport={() => setDropped([])}
      />
      {error && <Failed reason={error} onRetry={refresh} />}
      {data && <Hierarchy scopes={scopes} selected={route.id} onChange={refresh} />}
      {adding && <ScopeForm scopes={scopes} onClose={() => setAdding(false)} onSaved={open} />}
      {dropped && (
        <ImportDialog
          files={dropped}
          scopes={scopes}
          selected={route.id}
          onFiles={setDropped}
          onClose={() => setDropped(undefined)}
          onImported={open}
        />
      )}
    </>
  );
}

interface HeadProps {
  readonly offers: boolean;
  /** A scope is shown, whose next step is a rule. */
  readonly hasScope: boolean;
  readonly onAdd: () => void;
  readonly onImport: () => void;
}

function Head({ offers, hasScope, onAdd, onImport }: HeadProps) {
  const { t } = useI18n();
  return (
    <div class="row between">
      <h1>{t("scopes")}</h1>
      {offers && (
        <div class="row">
          <Button class="outline" text={t("importRules")} onClick={onImport} />
          <Button class={hasScope ? "outline" : undefined} text={t("newScope")} onClick={onAdd} />
        </div>
      )}
    </div>
  );
}

interface HierarchyProps {
  readonly scopes: readonly ScopeRow[];
  readonly selected: string | undefined;
  readonly onChange: () => void;
}

function Hierarchy({ scopes, selected, onChange }: HierarchyProps) {
  const { t } = useI18n();
  if (scopes.length === 0 && !selected)
    return <Empty icon="tree" title={t("noScopes")} text={t("noScopesHint")} />;
  return (
    <div class="split">
      <nav aria-label={t("scopes")} class="tree">
        <ScopeTree scopes={scopes} selected={selected} />
      </nav>
      {selected ? (
        <ScopeDetail key={selected} id={selected} scopes={scopes} onChange={onChange} />
      ) : (
        scopes.length > 0 && <p class="muted">{t("chooseScope")}</p>
      )}
    </div>
  );
}

interface TreeProps {
  readonly scopes: readonly ScopeRow[];
  readonly selected: string | undefined;
  readonly parent?: string;
}

function ScopeTree({ scopes, selected, parent }: TreeProps) {
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
