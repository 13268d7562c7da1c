// The search page before you type: pinned questions, recent searches and suggestions.

import { Button, Card } from "../parts/parts.tsx";
import { Samples } from "../parts/samples.tsx";
import { keep, useKept } from "../state/kept.ts";
import { t } from "../state/language.ts";
import { toPath } from "../state/route.ts";
import { useLive } from "../state/use-live.tsx";
import { ownHeadings } from "./headings.ts";
import { fromAddress, questionOf } from "./search-query.ts";

interface StartProps {
  readonly onPick: (question: string) => void;
}

export function Start({ onPick }: StartProps) {
  return (
    <>
      <p class="muted" role="status">
        {t("Results appear as you type. “Ask” gives you an answer with its sources.")}
      </p>
      <Samples />
      <Pinned />
      <Recent onPick={onPick} />
      <Questions />
    </>
  );
}

function Pinned() {
  const pinned = useKept("pinned");
  if (pinned.length === 0) return null;
  return (
    <Card title={t("Pinned questions")}>
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
  const recent = useKept("recent");
  if (recent.length === 0) return null;
  const clearAll = <Button class="quiet" text={t("Clear")} onClick={() => keep("recent", [])} />;
  return (
    <Card title={t("Recent searches")} more={clearAll}>
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
  const { data: headings = [] } = useLive(ownHeadings, 0);
  if (headings.length === 0) return null;
  return (
    <Card title={t("From your documents")}>
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
