// The effective rules of a scope: its own and those it inherits.
import { useState } from "preact/hooks";
import type { ExplainedView } from "../../../tools/scopes/contract.ts";
import { Markdown } from "../parts/markdown.tsx";
import { Button } from "../parts/parts.tsx";
import { t } from "../state/language.ts";
import { filterRules } from "./filter-rules.ts";

export type ShownRule = ExplainedView["entries"][number];

/** An inherited rule is either overridden in this scope or changed in the scope that owns it. */
export interface RuleAct {
  readonly kind: "edit" | "override" | "edit-there" | "remove";
  readonly entry: ShownRule;
}

interface RulesProps {
  readonly view: ExplainedView;
  readonly onAct: (act: RuleAct) => void;
}

export function Rules({ view, onAct }: RulesProps) {
  const [typed, setTyped] = useState("");
  const shown = filterRules(view.entries, typed);
  const rulesOf = (name: string) => shown.filter(({ category }) => category === name);
  const categories = view.categories.filter(({ name }) => rulesOf(name).length > 0);
  const showAll = <Button class="link" text={t("Show all rules")} onClick={() => setTyped("")} />;
  return (
    <>
      <div class="row rule-filter">
        <input
          type="search"
          aria-label={t("Filter the rules")}
          placeholder={t("Filter the rules")}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <span class="muted" role="status">
          {t("{0} of {1|rule|rules}", shown.length, view.entries.length)}
        </span>
      </div>
      {shown.length === 0 && (
        <p>
          {t("No rules match.")} {showAll}
        </p>
      )}
      {categories.map(({ name, description }) => (
        <section key={name} class="card" aria-label={name}>
          <h3>{name}</h3>
          {description && <p class="muted">{description}</p>}
          <ul class="rules">
            {rulesOf(name).map((entry) => (
              <Rule key={entry.keyword} entry={entry} scopeId={view.scope.id} onAct={onAct} />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

interface RuleProps {
  readonly entry: ShownRule;
  /** The scope on the page, which may inherit the rule. */
  readonly scopeId: string;
  readonly onAct: (act: RuleAct) => void;
}

function Rule({ entry, scopeId, onAct }: RuleProps) {
  const isOwn = entry.source_scope === scopeId;
  return (
    <li>
      <div class="row between">
        <span class="row">
          {entry.keyword !== entry.category && <strong>{entry.keyword}</strong>}
          {!isOwn && <span class="badge">{t("from {0}", entry.source_scope)}</span>}
        </span>
        <RuleButtons entry={entry} isOwn={isOwn} onAct={onAct} />
      </div>
      <Markdown text={entry.content} level={4} />
      {entry.overridden.map((loser) => (
        <details key={loser.scope} class="muted">
          <summary>{t("Overrides {0}", `${loser.scope} (${loser.tier})`)}</summary>
          <p class="snippet">
            <s>{loser.content}</s>
          </p>
        </details>
      ))}
    </li>
  );
}

type ButtonsProps = Pick<RuleProps, "entry" | "onAct"> & { readonly isOwn: boolean };

function RuleButtons({ entry, isOwn, onAct }: ButtonsProps) {
  const button = (kind: RuleAct["kind"], text: string) => (
    <Button
      class="quiet small"
      text={text}
      aria-label={`${text}: ${entry.keyword}`}
      onClick={() => onAct({ kind, entry })}
    />
  );
  return (
    <span class="row">
      {button(isOwn ? "edit" : "override", t(isOwn ? "Edit" : "Override here"))}
      {isOwn
        ? button("remove", t("Remove"))
        : button("edit-there", t("Edit in {0}", entry.source_scope))}
    </span>
  );
}
