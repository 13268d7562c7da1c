import { useState } from "preact/hooks";
import type { ScopeRow, ScopesView } from "../../../tools/scopes/contract.ts";
import { Empty } from "../parts/empty.tsx";
import { useSpeech } from "../state/language.ts";
import { readJson } from "../state/mcp.ts";
import { type Route, toHash } from "../state/route.ts";
import { useLive } from "../state/use-live.ts";
import { ScopeForm } from "./forms/scope-form.tsx";
import { ImportDialog } from "./import/import-dialog.tsx";
import type { RuleFiles } from "./import/rule-files.ts";
import { useRuleDrop } from "./import/use-rule-drop.ts";
import { ScopeDetail } from "./scope-detail.tsx";
import { ScopeTree } from "./scope-tree.tsx";

export function Scopes({ route }: { route: Route }) {
  const { say } = useSpeech();
  const [adding, setAdding] = useState(false);
  const [dropped, setDropped] = useState<RuleFiles>();
  useRuleDrop(setDropped);
  const { data, error, refresh } = useLive(
    (signal) => readJson<ScopesView>("knowledge://scopes", signal),
    3_000,
  );
  const scopes = data?.scopes ?? [];
  const open = (id: string | undefined) => {
    setAdding(false);
    setDropped(undefined);
    refresh();
    if (id) location.hash = toHash("scopes", id);
  };
  return (
    <>
      <Head onAdd={() => setAdding(true)} onImport={() => setDropped([])} />
      {error && <p class="problem">{say("failed", error)}</p>}
      {data && scopes.length === 0 && !route.id && (
        <Empty icon="tree" title={say("noScopes")} text={say("noScopesHint")} />
      )}
      <Hierarchy scopes={scopes} selected={route.id} onChange={refresh} />
      {adding && <ScopeForm scopes={scopes} onClose={() => setAdding(false)} onSaved={open} />}
      {dropped && (
        <ImportDialog
          files={dropped}
          selected={route.id}
          onFiles={setDropped}
          onClose={() => setDropped(undefined)}
          onImported={open}
        />
      )}
    </>
  );
}

function Head({ onAdd, onImport }: { onAdd: () => void; onImport: () => void }) {
  const { say } = useSpeech();
  return (
    <div class="row between">
      <h1>{say("scopes")}</h1>
      <div class="row">
        <button type="button" class="outline" onClick={onImport}>
          {say("importRules")}
        </button>
        <button type="button" onClick={onAdd}>
          {say("newScope")}
        </button>
      </div>
    </div>
  );
}

interface HierarchyProps {
  readonly scopes: readonly ScopeRow[];
  readonly selected: string | undefined;
  readonly onChange: () => void;
}

function Hierarchy({ scopes, selected, onChange }: HierarchyProps) {
  const { say } = useSpeech();
  return (
    <div class="split">
      <nav aria-label={say("scopes")} class="tree">
        <ScopeTree scopes={scopes} selected={selected} />
      </nav>
      {selected ? (
        <ScopeDetail key={selected} id={selected} scopes={scopes} onChange={onChange} />
      ) : (
        scopes.length > 0 && <p class="muted">{say("chooseScope")}</p>
      )}
    </div>
  );
}
