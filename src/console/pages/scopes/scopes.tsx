// The tree of scopes beside the chosen one: its rules, its documents, and who may see them.
import { useState } from "preact/hooks";
import { GENERAL_SCOPE } from "../../../domain/call/grants.ts";
import type { ScopeRow } from "../../../tools/scopes/contract.ts";
import { Button, Empty } from "../parts/parts.tsx";
import { parentsOf, readScopes, ScopeTree } from "../parts/scopes.tsx";
import { t } from "../state/language.ts";
import { useOffers } from "../state/offered-tools.ts";
import { navigate, type Route, toPath } from "../state/route.ts";
import { useLive } from "../state/use-live.tsx";
import { ScopeForm } from "./forms.tsx";
import { ImportDialog, useRuleDrop } from "./import.tsx";
import { dragProps, MoveDialog, MovedNote, type Moving, useDropTarget } from "./move.tsx";
import type { RuleFiles } from "./rule-files.ts";
import { ScopeDetail } from "./scope-detail.tsx";

export function Scopes({ route }: { route: Route }) {
  const [adding, setAdding] = useState(false);
  const [dropped, setDropped] = useState<RuleFiles>();
  const offers = useOffers("knowledge-scope-put");
  useRuleDrop(offers, setDropped);
  const { data: scopes, failed, refresh } = useLive(readScopes, 3_000);
  const open = (id: string | undefined) => {
    setAdding(false);
    setDropped(undefined);
    refresh();
    if (id) navigate(toPath("scopes", id));
  };
  const known = scopes ?? [];
  return (
    <>
      <Head
        offers={offers}
        hasScope={route.id !== undefined}
        onAdd={() => setAdding(true)}
        onImport={() => setDropped([])}
      />
      {failed}
      {scopes && <Hierarchy scopes={scopes} selected={route.id} onChange={refresh} />}
      {adding && <ScopeForm scopes={known} onClose={() => setAdding(false)} onSaved={open} />}
      {dropped && (
        <ImportDialog
          files={dropped}
          scopes={known}
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
  return (
    <div class="row between">
      <h1>{t("Scopes")}</h1>
      {offers && (
        <div class="row">
          <Button class="outline" text={t("Import rules")} onClick={onImport} />
          <Button class={hasScope ? "outline" : undefined} text={t("New scope")} onClick={onAdd} />
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
  const [moving, setMoving] = useState<Moving>();
  const [moved, setMoved] = useState<Moving>();
  const isDone = (done?: Moving) => {
    setMoving(undefined);
    setMoved(done);
    onChange();
  };
  const detail = { scopes, onChange, onMove: setMoving };
  return (
    <>
      {scopes.length === 0 && (
        <Empty
          icon="tree"
          title={t("No scopes yet")}
          text={t(
            "Scopes contain rules that projects inherit. Drop an AGENTS.md, a folder or a YAML file here to import them, or add a scope.",
          )}
        />
      )}
      {moved && <MovedNote moved={moved} onUndone={() => isDone()} />}
      <div class="split">
        <Tree scopes={scopes} selected={selected} onDrop={setMoving} />
        {selected ? (
          <ScopeDetail key={`${selected} ${moved?.id} ${moved?.to}`} id={selected} {...detail} />
        ) : (
          <p class="muted">{t("Choose a scope to see the rules that apply there.")}</p>
        )}
      </div>
      {moving && (
        <MoveDialog {...{ moving, scopes }} onClose={() => setMoving(undefined)} onMoved={isDone} />
      )}
    </>
  );
}

interface TreeProps extends Pick<HierarchyProps, "scopes" | "selected"> {
  readonly onDrop: (moving: Moving) => void;
}

function Tree({ scopes, selected, onDrop }: TreeProps) {
  const row = (id: string) => (
    <TreeRow
      scope={scopes.find((scope) => scope.id === id) ?? { id }}
      isSelected={id === selected}
      onDrop={onDrop}
    />
  );
  return (
    <nav aria-label={t("Scopes")} class="tree">
      <ScopeTree parents={parentsOf(scopes)} row={row} />
    </nav>
  );
}

interface TreeRowProps {
  /** The general scope is there without rules too. */
  readonly scope: Pick<ScopeRow, "id"> & Partial<ScopeRow>;
  readonly isSelected: boolean;
  readonly onDrop: (moving: Moving) => void;
}

function TreeRow({ scope: { id, tier, parent }, isSelected, onDrop }: TreeRowProps) {
  const target = useDropTarget(id, onDrop);
  const offers = useOffers("knowledge-scope-put") && id !== GENERAL_SCOPE;
  const dragged = { kind: "scope", id, name: id, from: parent ?? "" } as const;
  return (
    <a
      href={toPath("scopes", id)}
      aria-current={isSelected ? "true" : undefined}
      {...target}
      {...(offers ? dragProps(dragged) : {})}
    >
      {id} {tier && <span class="badge">{tier}</span>}
    </a>
  );
}
