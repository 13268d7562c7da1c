import type { Status } from "../../../tools/documents/contract.ts";
import { Icon } from "../parts/icon.tsx";
import { useSpeech } from "../state/language.ts";

/** Says what is wrong and what helps; shows only a mark if everything works. */
export function Health({ health }: { health: Status["health"] }) {
  const { say, sayNotice } = useSpeech();
  const issues = health.issues ?? [];
  if (issues.length === 0) return null;
  const isDown = !health.vector_db_connected || !health.storage_accessible;
  return (
    <section class={`notice ${isDown ? "bad" : ""}`} aria-label={say("degraded")}>
      <Icon name="warning" />
      <div>
        <strong>{say(isDown ? "healthDown" : "healthPart")}</strong>
        {issues.map((issue) => (
          <p key={issue}>{sayNotice(issue)}</p>
        ))}
        <p>
          {say("healthRemedy")} <code>knowledge-server doctor</code>
        </p>
      </div>
    </section>
  );
}
