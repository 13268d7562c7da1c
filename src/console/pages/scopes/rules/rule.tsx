import { Markdown } from "../../parts/markdown.tsx";
import { useI18n } from "../../state/language.ts";
import type { RuleAct, ShownRule } from "./rule-act.ts";

interface RuleProps {
  readonly entry: ShownRule;
  /** The scope on the page, which may inherit the rule. */
  readonly scopeId: string;
  readonly onAct: (act: RuleAct) => void;
}

export function Rule({ entry, scopeId, onAct }: RuleProps) {
  const { t } = useI18n();
  const isOwn = entry.source_scope === scopeId;
  return (
    <li>
      <div class="row between">
        <span class="row">
          {entry.keyword !== entry.category && <strong>{entry.keyword}</strong>}
          <span class="badge">{isOwn ? t("own") : t("inheritedFrom", entry.source_scope)}</span>
        </span>
        <RuleButtons entry={entry} isOwn={isOwn} onAct={onAct} />
      </div>
      <Markdown text={entry.content} level={4} />
      {entry.overridden.map((loser) => (
        <details key={loser.scope} class="muted">
          <summary>{t("overrides", `${loser.scope} (${loser.tier})`)}</summary>
          <p class="snippet">
            <s>{loser.content}</s>
          </p>
        </details>
      ))}
    </li>
  );
}

interface ButtonsProps {
  readonly entry: ShownRule;
  readonly isOwn: boolean;
  readonly onAct: (act: RuleAct) => void;
}

function RuleButtons({ entry, isOwn, onAct }: ButtonsProps) {
  const { t } = useI18n();
  const button = (kind: RuleAct["kind"], text: string) => (
    <button
      type="button"
      class="quiet"
      aria-label={`${text}: ${entry.keyword}`}
      onClick={() => onAct({ kind, entry })}
    >
      {text}
    </button>
  );
  return (
    <span class="row">
      {button(isOwn ? "edit" : "override", t(isOwn ? "edit" : "overrideHere"))}
      {isOwn
        ? button("remove", t("remove"))
        : button("edit-there", t("editIn", entry.source_scope))}
    </span>
  );
}
