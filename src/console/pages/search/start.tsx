// The search page before you type: pinned questions, recent searches and suggestions.

import { Button } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { Samples } from "../parts/samples.tsx";
import { keep, useKept } from "../state/kept.ts";
import { useI18n } from "../state/language.ts";
import { toPath } from "../state/route.ts";
import { useLive } from "../state/use-live.ts";
import { ownHeadings } from "./headings.ts";
import { fromAddress, questionOf } from "./search-query.ts";

interface StartProps {
  readonly onPick: (question: string) => void;
}

export function Start({ onPick }: StartProps) {
  const { t } = useI18n();
  return (
    <>
      <p class="muted" role="status">
        {t("searchHint")}
      </p>
      <Samples />
      <Pinned />
      <Recent onPick={onPick} />
      <Questions />
    </>
  );
}

function Pinned() {
  const { t } = useI18n();
  const pinned = useKept("pinned");
  if (pinned.length === 0) return null;
  return (
    <Card title={t("pinnedQuestions")}>
      <ul class="picks column">
        {pinned.map((address) => (
          <li key={address}>
            <a data-hit href={address}>
              {questionOf(fromAddress(address))}
            </a>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Recent({ onPick }: StartProps) {
  const { t } = useI18n();
  const recent = useKept("recent");
  if (recent.length === 0) return null;
  const clearAll = <Button class="quiet" text={t("clear")} onClick={() => keep("recent", [])} />;
  return (
    <Card title={t("recentSearches")} more={clearAll}>
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
    </Card>
  );
}

/** Their own headings: what they are about, not what they answer. */
export function Questions() {
  const { t } = useI18n();
  const { data: headings = [] } = useLive(ownHeadings, 0);
  if (headings.length === 0) return null;
  return (
    <Card title={t("tryAsking")}>
      <ul class="picks">
        {headings.map((heading) => (
          <li key={heading}>
            <a class="button outline" data-hit href={toPath("search", "", { q: heading })}>
              {heading}
            </a>
          </li>
        ))}
      </ul>
    </Card>
  );
}
