import { useState } from "preact/hooks";
import type { ScopeRow } from "../../../../tools/scopes/contract.ts";
import { Confirm, Dialog } from "../../parts/dialog.tsx";
import { useI18n } from "../../state/language.ts";
import { call } from "../../state/mcp.ts";
import { toHash } from "../../state/route.ts";
import type { ShownRule } from "../rules/rule-act.ts";

/** Shows a failure in the dialog that asked for confirmation. */
function useAttempt(onDone: () => void) {
  const { explain } = useI18n();
  const [problem, setProblem] = useState("");
  const attempt = async (act: () => Promise<unknown>) => {
    try {
      await act();
      onDone();
    } catch (thrown) {
      setProblem(explain(thrown));
    }
  };
  return { problem, attempt };
}

interface RemoveRuleProps {
  readonly scopeId: string;
  readonly entry: ShownRule;
  readonly onDone: () => void;
}

export function RemoveRule({ scopeId, entry, onDone }: RemoveRuleProps) {
  const { t } = useI18n();
  const { problem, attempt } = useAttempt(onDone);
  const { category, keyword, overridden } = entry;
  const text = overridden[0]
    ? t("removeRuleText", keyword, overridden[0].scope)
    : t("removeOnlyRuleText", keyword);
  const remove = () =>
    attempt(() => call("knowledge-entry-remove", { scope_id: scopeId, category, keyword }));
  return (
    <Confirm
      title={t("removeRule")}
      text={problem || text}
      action={t("remove")}
      cancel={t("cancel")}
      onConfirm={remove}
      onClose={onDone}
    />
  );
}

interface RemoveScopeProps {
  readonly id: string;
  readonly scopes: readonly ScopeRow[];
  readonly onDone: () => void;
}

export function RemoveScope({ id, scopes, onDone }: RemoveScopeProps) {
  const { t } = useI18n();
  const { problem, attempt } = useAttempt(onDone);
  const children = scopes.filter((scope) => scope.parent === id);
  if (children.length > 0) return <HasChildren id={id} ids={children} onClose={onDone} />;
  const rules = scopes.find((scope) => scope.id === id)?.entry_count ?? 0;
  const remove = () =>
    attempt(async () => {
      await call("knowledge-scope-remove", { scope_id: id, confirm: true });
      location.hash = toHash("scopes");
    });
  return (
    <Confirm
      title={t("removeScope")}
      text={problem || t("removeScopeText", id, rules)}
      action={t("remove")}
      cancel={t("cancel")}
      onConfirm={remove}
      onClose={onDone}
    />
  );
}

interface HasChildrenProps {
  readonly id: string;
  readonly ids: readonly ScopeRow[];
  readonly onClose: () => void;
}

function HasChildren({ id, ids, onClose }: HasChildrenProps) {
  const { t } = useI18n();
  return (
    <Dialog title={t("hasChildren", id)} onClose={onClose}>
      <p>{t("hasChildrenText", ids.length)}</p>
      <ul class="children">
        {ids.map((child) => (
          <li key={child.id}>
            <a href={toHash("scopes", child.id)}>{child.id}</a>{" "}
            <span class="badge">{child.tier}</span>{" "}
            <span class="muted">{t("ruleCount", child.entry_count)}</span>
          </li>
        ))}
      </ul>
      <div class="row end">
        <button type="button" onClick={onClose}>
          {t("close")}
        </button>
      </div>
    </Dialog>
  );
}
