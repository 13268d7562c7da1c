// The rules that an import would change: each opens to its new and its old text.
import type { DropReport } from "../../../../tools/scopes/contract.ts";
import { Collapsible } from "../../parts/collapsible.tsx";
import { Markdown } from "../../parts/markdown.tsx";
import { useI18n } from "../../state/language.ts";

type Rule = DropReport["rules"][number];

const OUTCOMES = { added: "willBeNew", changed: "willChange", removed: "willGo" } as const;
const SHOWN = 60;

interface ChangedRulesProps {
  readonly rules: readonly Rule[];
  /** Includes those that are not listed. */
  readonly all: number;
}

export function ChangedRules({ rules, all }: ChangedRulesProps) {
  const { t } = useI18n();
  if (rules.length === 0) return null;
  const shown = rules.slice(0, SHOWN);
  const left = Math.max(all, rules.length) - shown.length;
  return (
    <ul class="changed-rules" aria-label={t("changedRules")}>
      {shown.map((rule) => (
        <li key={`${rule.scope}/${rule.category}/${rule.keyword}`}>
          <Collapsible class="fold" summary={<RuleName rule={rule} />}>
            {() => <RuleTexts rule={rule} />}
          </Collapsible>
        </li>
      ))}
      {left > 0 && <li class="muted">{t("andMore", left)}</li>}
    </ul>
  );
}

function RuleName({ rule }: { readonly rule: Rule }) {
  const { t } = useI18n();
  return (
    <>
      <span class={`badge ${rule.outcome}`}>{t(OUTCOMES[rule.outcome])}</span>{" "}
      <span class="muted">{rule.scope} ›</span>{" "}
      {rule.category !== rule.keyword && `${rule.category} / `}
      <strong>{rule.keyword}</strong>
    </>
  );
}

function RuleTexts({ rule: { before, after } }: { readonly rule: Rule }) {
  const { t } = useI18n();
  return (
    <>
      {before !== undefined && (
        <div class="rule-before">
          <p class="muted small">{t("ruleBefore")}</p>
          <Markdown text={before} />
        </div>
      )}
      {after !== undefined && (
        <div class="rule-after">
          {before !== undefined && <p class="muted small">{t("ruleAfter")}</p>}
          <Markdown text={after} />
        </div>
      )}
    </>
  );
}
