// The search page before you type: recent searches and suggestions.
import { Icon } from "../../parts/icon.tsx";
import { useI18n } from "../../state/language.ts";
import { Questions } from "./questions.tsx";
import { useRecent } from "./recent.ts";

export function Start({ onPick }: { onPick: (question: string) => void }) {
  const { t } = useI18n();
  const { recent, clear } = useRecent();
  return (
    <>
      <p class="muted" role="status">
        {t("searchHint")}
      </p>
      {recent.length > 0 && (
        <section class="card" aria-labelledby="recent">
          <div class="row between">
            <h2 id="recent">{t("recentSearches")}</h2>
            <button type="button" class="quiet" onClick={clear}>
              {t("clear")}
            </button>
          </div>
          <ul class="picks column">
            {recent.map((query) => (
              <li key={query}>
                <button type="button" class="quiet" data-hit onClick={() => onPick(query)}>
                  <Icon name="clock" />
                  {query}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      <Questions onPick={onPick} />
    </>
  );
}
