import type { Status } from "../../../tools/documents/contract.ts";
import { Icon } from "../parts/icon.tsx";
import { useI18n } from "../state/language.ts";

/** Says what is wrong and what helps; shows only a mark if everything works. */
export function Health({ health }: { health: Status["health"] }) {
  const { t, sayMessage } = useI18n();
  const issues = health.issue_codes ?? [];
  if (issues.length === 0) return null;
  const isDown = !health.vector_db_connected || !health.storage_accessible;
  return (
    <section class={`notice ${isDown ? "bad" : ""}`} aria-label={t("degraded")}>
      <Icon name="warning" />
      <div>
        <strong>{t(isDown ? "healthDown" : "healthPart")}</strong>
        {issues.map((issue) => (
          <p key={issue.code}>{sayMessage(issue)}</p>
        ))}
        <p>
          {t("healthRemedy")} <code>knowledge-server doctor</code>
        </p>
      </div>
    </section>
  );
}
