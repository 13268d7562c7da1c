import { useState } from "preact/hooks";
import type { ExplainedView } from "../../../../tools/scopes/contract.ts";
import { useI18n } from "../../state/language.ts";
import { filterRules } from "./filter-rules.ts";
import { Rule } from "./rule.tsx";
import type { RuleAct } from "./rule-act.ts";

interface RulesProps {
  readonly view: ExplainedView;
  readonly onAct: (act: RuleAct) => void;
}

/** The effective rules: the scope's own and those it inherits. */
export function Rules({ view, onAct }: RulesProps) {
  const { t } = useI18n();
  const [typed, setTyped] = useState("");
  const shown = filterRules(view.entries, typed);
  const categories = view.categories.filter(({ name }) =>
    shown.some(({ category }) => category === name),
  );
  return (
    <>
      <div class="row rule-filter">
        <input
          type="search"
          aria-label={t("filterRules")}
          placeholder={t("filterRules")}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <span class="muted" role="status">
          {t("rulesShown", shown.length, view.entries.length)}
        </span>
      </div>
      {shown.length === 0 && <NoneFits onClear={() => setTyped("")} />}
      {categories.map(({ name, description }) => (
        <section key={name} class="card" aria-label={name}>
          <h3>{name}</h3>
          {description && <p class="muted">{description}</p>}
          <ul class="rules">
            {shown
              .filter((entry) => entry.category === name)
              .map((entry) => (
                <Rule key={entry.keyword} entry={entry} scopeId={view.scope.id} onAct={onAct} />
              ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function NoneFits({ onClear }: { onClear: () => void }) {
  const { t } = useI18n();
  return (
    <p>
      {t("noRuleFits")}{" "}
      <button type="button" class="link" onClick={onClear}>
        {t("showAllRules")}
      </button>
    </p>
  );
}
