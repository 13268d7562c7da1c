import { useState } from "preact/hooks";
import type { ExplainedView, ScopeRow } from "../../../tools/scopes/contract.ts";
import { Button } from "../parts/button.tsx";
import { Empty, Failed } from "../parts/notices.tsx";
import { useI18n } from "../state/language.ts";
import { readJson } from "../state/mcp.ts";
import { toHash } from "../state/route.ts";
import { useLive } from "../state/use-live.ts";
import { EntryForm } from "./forms.tsx";
import { RemoveRule, RemoveScope } from "./remove.tsx";
import { type RuleAct, Rules } from "./rules.tsx";

interface DetailProps {
  readonly id: string;
  readonly scopes: readonly ScopeRow[];
  readonly onChange: () => void;
}

/** The dialog that is open. */
type Act = RuleAct | { readonly kind: "add" } | { readonly kind: "remove-scope" };

export function ScopeDetail({ id, scopes, onChange }: DetailProps) {
  const { t } = useI18n();
  const [act, setAct] = useState<Act>();
  const { data, error, refresh } = useLive(
    (signal) =>
      readJson<ExplainedView>(`knowledge://explained-scopes/${encodeURIComponent(id)}`, signal),
    3_000,
    [id],
  );
  if (error && !data) return <Failed reason={error} onRetry={refresh} />;
  if (!data) return <p aria-busy="true">{t("loading")}</p>;
  const done = () => {
    setAct(undefined);
    refresh();
    onChange();
  };
  return (
    <section aria-labelledby="scope-name">
      <ScopeHead view={data} onAct={setAct} />
      {data.entries.length === 0 ? (
        <Empty icon="tree" title={t("noRules")} text={t("noRulesHint", id)}>
          <Button text={t("addFirstRule")} onClick={() => setAct({ kind: "add" })} />
        </Empty>
      ) : (
        <Rules view={data} onAct={setAct} />
      )}
      {act && <Acting act={act} view={data} scopes={scopes} onDone={done} />}
    </section>
  );
}

function ScopeHead({ view, onAct }: { view: ExplainedView; onAct: (act: Act) => void }) {
  const { t } = useI18n();
  const { scope, chain } = view;
  return (
    <>
      <div class="row between">
        <h2 id="scope-name">
          {scope.id} <span class="badge">{scope.tier}</span>
        </h2>
        <div class="row">
          <Button text={t("newRule")} onClick={() => onAct({ kind: "add" })} />
          <Button
            class="quiet"
            text={t("remove")}
            onClick={() => onAct({ kind: "remove-scope" })}
          />
        </div>
      </div>
      {scope.description && <p>{scope.description}</p>}
      {chain.length > 1 && (
        <p class="muted">
          {t("inherits")}:{" "}
          {chain.slice(1).map(({ id }, at) => (
            <span key={id}>
              {at > 0 && " › "}
              <a href={toHash("scopes", id)}>{id}</a>
            </span>
          ))}
        </p>
      )}
    </>
  );
}

interface ActingProps {
  readonly act: Act;
  readonly view: ExplainedView;
  readonly scopes: readonly ScopeRow[];
  readonly onDone: () => void;
}

function Acting({ act, view, scopes, onDone }: ActingProps) {
  const { id } = view.scope;
  if (act.kind === "remove-scope") return <RemoveScope id={id} scopes={scopes} onDone={onDone} />;
  if (act.kind === "remove") return <RemoveRule scopeId={id} entry={act.entry} onDone={onDone} />;
  const target = act.kind === "edit-there" ? act.entry.source_scope : id;
  const entry = act.kind === "add" ? undefined : act.entry;
  return <EntryForm kind={act.kind} scopeId={target} {...{ view, entry, onDone }} />;
}
