// The search page before you type: recent searches and suggestions.
import { useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { useI18n } from "../state/language.ts";
import { useLive } from "../state/use-live.ts";
import { ownHeadings } from "./headings.ts";
import { clearRecent, readRecent } from "./recent.ts";

interface StartProps {
  readonly onPick: (question: string) => void;
}

export function Start({ onPick }: StartProps) {
  const { t } = useI18n();
  const [recent, setRecent] = useState(readRecent);
  const clear = () => {
    clearRecent();
    setRecent([]);
  };
  return (
    <>
      <p class="muted" role="status">
        {t("searchHint")}
      </p>
      {recent.length > 0 && (
        <section class="card" aria-labelledby="recent">
          <div class="row between">
            <h2 id="recent">{t("recentSearches")}</h2>
            <Button class="quiet" text={t("clear")} onClick={clear} />
          </div>
          <ul class="picks column">
            {recent.map((query) => (
              <li key={query}>
                <Button
                  class="quiet"
                  icon="clock"
                  text={query}
                  data-hit
                  onClick={() => onPick(query)}
                />
              </li>
            ))}
          </ul>
        </section>
      )}
      <Questions onPick={onPick} />
    </>
  );
}

export function Questions({ onPick }: StartProps) {
  const { t } = useI18n();
  const { data: headings = [] } = useLive(ownHeadings, 0);
  if (headings.length === 0) return null;
  const questions = headings.map((heading) =>
    /[?？]$/.test(heading) ? heading : t("questionAbout", heading),
  );
  return (
    <section class="card" aria-labelledby="own-questions">
      <h2 id="own-questions">{t("tryAsking")}</h2>
      <ul class="picks">
        {questions.map((question) => (
          <li key={question}>
            <Button class="outline" text={question} data-hit onClick={() => onPick(question)} />
          </li>
        ))}
      </ul>
    </section>
  );
}
