// The search page before you type: pinned questions, recent searches and suggestions.
import type { ComponentChildren } from "preact";
import { Button } from "../parts/button.tsx";
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
    <Picks id="pinned" title={t("pinnedQuestions")}>
      {pinned.map((address) => (
        <li key={address}>
          <a data-hit href={address}>
            {questionOf(fromAddress(address))}
          </a>
        </li>
      ))}
    </Picks>
  );
}

function Recent({ onPick }: StartProps) {
  const { t } = useI18n();
  const recent = useKept("recent");
  if (recent.length === 0) return null;
  const clearAll = <Button class="quiet" text={t("clear")} onClick={() => keep("recent", [])} />;
  return (
    <Picks id="recent" title={t("recentSearches")} more={clearAll}>
      {recent.map((query) => (
        <li key={query}>
          <Button class="quiet" icon="clock" text={query} data-hit onClick={() => onPick(query)} />
        </li>
      ))}
    </Picks>
  );
}

interface PicksProps {
  readonly id: string;
  readonly title: string;
  readonly more?: ComponentChildren;
  readonly children: ComponentChildren;
}

function Picks({ id, title, more, children }: PicksProps) {
  return (
    <section class="card" aria-labelledby={id}>
      <div class="row between">
        <h2 id={id}>{title}</h2>
        {more}
      </div>
      <ul class="picks column">{children}</ul>
    </section>
  );
}

/** Their own headings: what they are about, not what they answer. */
export function Questions() {
  const { t } = useI18n();
  const { data: headings = [] } = useLive(ownHeadings, 0);
  if (headings.length === 0) return null;
  return (
    <section class="card" aria-labelledby="own-questions">
      <h2 id="own-questions">{t("tryAsking")}</h2>
      <ul class="picks">
        {headings.map((heading) => (
          <li key={heading}>
            <a class="button outline" data-hit href={toPath("search", "", { q: heading })}>
              {heading}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
