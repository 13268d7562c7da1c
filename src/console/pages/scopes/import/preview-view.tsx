import type { DropReport } from "../../../../tools/scopes/contract.ts";
import { useI18n } from "../../state/language.ts";
import { ChangedRules } from "./changed-rules.tsx";
import type { Preview } from "./use-preview.ts";

const OUTCOMES = {
  added: "willBeNew",
  changed: "willChange",
  unchanged: "staysAsIs",
  refused: "isRefused",
} as const;

const MAX_SHOWN = 20;

export function PreviewView({ preview }: { preview: Preview }) {
  const { explain } = useI18n();
  if (preview.kind === "none") return null;
  if (preview.kind === "failed") {
    return (
      <p class="problem" role="alert">
        {explain(preview.thrown)}
      </p>
    );
  }
  return <Report report={preview.report} />;
}

function Report({ report }: { report: DropReport }) {
  const { t, sayMessage } = useI18n();
  const sum = (count: "added" | "changed" | "unchanged") =>
    report.sources.reduce((total, source) => total + source[count], 0);
  return (
    <section aria-label={t("importPreview")}>
      <p role="status">{t("importCounts", sum("added"), sum("changed"), sum("unchanged"))}</p>
      <ul class="children">
        {report.scopes.slice(0, MAX_SHOWN).map((scope) => (
          <li key={scope.id}>
            {scope.id} <span class="badge">{t(OUTCOMES[scope.outcome])}</span>{" "}
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
