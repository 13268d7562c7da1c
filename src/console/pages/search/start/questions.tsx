import { useI18n } from "../../state/language.ts";
import { useLive } from "../../state/use-live.ts";
import { ownHeadings } from "./headings.ts";

export function Questions({ onPick }: { onPick: (question: string) => void }) {
  const { t } = useI18n();
  const { data: headings = [] } = useLive(ownHeadings, 0);
  if (headings.length === 0) return null;
  const toQuestion = (heading: string) =>
    /[?？]$/.test(heading) ? heading : t("questionAbout", heading);
  return (
    <section class="card" aria-labelledby="own-questions">
      <h2 id="own-questions">{t("tryAsking")}</h2>
      <ul class="picks">
        {headings.map((heading) => (
          <li key={heading}>
            <button
              type="button"
              class="outline"
              data-hit
              onClick={() => onPick(toQuestion(heading))}
            >
              {toQuestion(heading)}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
