// Removing a rule or a scope, once a person has confirmed it.
import type { ScopeRow } from "../../../tools/scopes/contract.ts";
import { Button } from "../parts/button.tsx";
import { ConfirmRemoval, Dialog } from "../parts/dialog.tsx";
import { useI18n } from "../state/language.ts";
import { call } from "../state/mcp.ts";
import { navigate, toPath } from "../state/route.ts";
import type { ShownRule } from "./rules.tsx";

interface RemoveRuleProps {
  readonly scopeId: string;
  readonly entry: ShownRule;
  readonly onDone: () => void;
}

export function RemoveRule({ scopeId, entry, onDone }: RemoveRuleProps) {
  const { t } = useI18n();
  const { category, keyword, overridden } = entry;
  const text = overridden[0]
    ? t("removeRuleText", keyword, overridden[0].scope)
    : t("removeOnlyRuleText", keyword);
  const remove = async () => {
    await call("knowledge-entry-remove", { scope_id: scopeId, category, keyword });
    onDone();
  };
  return <ConfirmRemoval title={t("removeRule")} text={text} onConfirm={remove} onClose={onDone} />;
}

interface RemoveScopeProps {
  readonly id: string;
  readonly scopes: readonly ScopeRow[];
  readonly onDone: () => void;
}

export function RemoveScope({ id, scopes, onDone }: RemoveScopeProps) {
  const { t } = useI18n();
  const children = scopes.filter((scope) => scope.parent === id);
  if (children.length > 0) return <HasChildren id={id} scopes={children} onDone={onDone} />;
  const rules = scopes.find((scope) => scope.id === id)?.entry_count ?? 0;
  const remove = async () => {
    await call("knowledge-scope-remove", { scope_id: id, confirm: true });
    navigate(toPath("scopes"));
    onDone();
  };
  return (
    <ConfirmRemoval
      title={t("removeScope")}
      text={t("removeScopeText", id, rules)}
      onConfirm={remove}
      onClose={onDone}
    />
  );
}

function HasChildren({ id, scopes, onDone }: RemoveScopeProps) {
  const { t } = useI18n();
  return (
    <Dialog title={t("hasChildren", id)} onClose={onDone}>
      <p>{t("hasChildrenText", scopes.length)}</p>
      <ul class="children">
        {scopes.map((child) => (
          <li key={child.id}>
            <a href={toPath("scopes", child.id)}>{child.id}</a>{" "}
            <span class="badge">{child.tier}</span>{" "}
            <span class="muted">{t("ruleCount", child.entry_count)}</span>
          </li>
        ))}
      </ul>
      <div class="row end">
        <Button text={t("close")} onClick={onDone} />
      </div>
    </Dialog>
  );
}
