// What an import would change.
import type { DropReport, RuleDrop } from "../../../tools/scopes/contract.ts";
import { Collapsible } from "../parts/collapsible.tsx";
import { Markdown } from "../parts/markdown.tsx";
import { useI18n } from "../state/language.ts";
import { api } from "../state/mcp.ts";
import { useLive } from "../state/use-live.ts";

export function sendDrop(drop: RuleDrop, signal?: AbortSignal): Promise<DropReport> {
  return api("/api/scopes/import", { body: drop, signal });
}

// Longer than the gap between two keys, shorter than it takes to look up from the keyboard.
const PAUSE_MS = 250;

/**
 * Computes what the import would change, again whenever typing pauses. Until then the previous
 * preview stays on the page, marked as not current, so that the layout does not jump.
 */
export function usePreview(wish: RuleDrop | undefined) {
  const { data, error } = useLive(
    async (signal) => {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      signal.throwIfAborted();
      return { wish, report: wish && (await sendDrop({ ...wish, write: false }, signal)) };
    },
    0,
    [wish],
  );
  return { report: data?.report, error, isCurrent: data?.wish === wish && error === undefined };
}

const SCOPE_OUTCOMES = {
  added: "willBeNew",
  changed: "willChange",
  unchanged: "staysAsIs",
  refused: "isRefused",
} as const;

const MAX_SHOWN = 20;

export function Report({ report }: { report: DropReport }) {
  const { t, sayMessage } = useI18n();
  const sum = (count: "added" | "changed" | "unchanged") =>
    report.sources.reduce((total, source) => total + source[count], 0);
  return (
    <section aria-label={t("importPreview")}>
      <p role="status">{t("importCounts", sum("added"), sum("changed"), sum("unchanged"))}</p>
      <ul class="children">
        {report.scopes.slice(0, MAX_SHOWN).map((scope) => (
          <li key={scope.id}>
            {scope.id} <span class="badge">{t(SCOPE_OUTCOMES[scope.outcome])}</span>{" "}
            <span class="muted">{t("ruleCount", scope.entries)}</span>
          </li>
        ))}
        {report.scopes.length > MAX_SHOWN && (
          <li>{t("andMore", report.scopes.length - MAX_SHOWN)}</li>
        )}
      </ul>
      <ChangedRules rules={report.rules} all={sum("added") + sum("changed")} />
      <Refusals rows={[...report.fatal, ...report.refused]} />
      {report.notes.map((note) => (
        <p key={note.code} class="muted">
          {sayMessage(note)}
        </p>
      ))}
    </section>
  );
}

function Refusals({ rows }: { rows: DropReport["refused"] }) {
  const { t } = useI18n();
  if (rows.length === 0) return null;
  return (
    <div class="problem">
      <p>{t("notTaken", rows.length)}</p>
      <ul class="children">
        {rows.slice(0, MAX_SHOWN).map(({ source, line, reason }) => (
          <li key={`${source}:${line}:${reason}`}>
            {line > 0 ? `${source}:${line}` : source}: {reason}
          </li>
        ))}
      </ul>
    </div>
  );
}

type Rule = DropReport["rules"][number];

const RULE_OUTCOMES = { added: "willBeNew", changed: "willChange", removed: "willGo" } as const;
const SHOWN = 60;

interface ChangedRulesProps {
  readonly rules: readonly Rule[];
  /** Includes those that are not listed. */
  readonly all: number;
}

/** The rules that an import would change: each opens to its new and its old text. */
function ChangedRules({ rules, all }: ChangedRulesProps) {
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
      <span class={`badge ${rule.outcome}`}>{t(RULE_OUTCOMES[rule.outcome])}</span>{" "}
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
