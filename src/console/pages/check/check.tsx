// Questions that a search should find something for, and what the last run lost.

import { useState } from "preact/hooks";
import type { CheckReport, CheckState, Lost } from "../../../tools/operations.ts";
import { Button } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { Collapsible } from "../parts/collapsible.tsx";
import { useAttempt } from "../parts/dialog.tsx";
import { Empty, Failed, Problem } from "../parts/notices.tsx";
import { RelativeDate } from "../parts/relative-date.tsx";
import { Tiles } from "../parts/tiles.tsx";
import { formatDay, useI18n } from "../state/language.ts";
import { api } from "../state/mcp.ts";
import { toPath } from "../state/route.ts";
import { useApi } from "../state/use-live.ts";

export function CheckPage() {
  const { t } = useI18n();
  const check = useCheck();
  const { state, problem, busy, report, made, run, make, remove } = check;
  const questions = state?.questions ?? [];
  return (
    <>
      <h1>{t("check")}</h1>
      <p>{t("checkIntro")}</p>
      <Problem text={problem} />
      {check.error && <Failed reason={check.error} onRetry={check.refresh} />}
      <div class="row check-actions">
        {questions.length > 0 && (
          <>
            <Button
              text={t(busy ? "checkRunning" : "checkRun")}
              disabled={busy}
              onClick={() => run(false)}
            />
            <Button class="quiet" text={t("checkMake")} disabled={busy} onClick={make} />
          </>
        )}
        {made !== undefined && <span role="status">{t("checkMade", made)}</span>}
      </div>
      {state && questions.length === 0 && (
        <Empty icon="check" title={t("checkNone")} text={t("checkNoneText")}>
          <Button text={t("checkMake")} disabled={busy} onClick={make} />
        </Empty>
      )}
      <ScoreChart scores={state?.scores ?? []} />
      {report && <Report report={report} busy={busy} onAccept={() => run(true)} />}
      <Pinned questions={questions.filter(({ kind }) => kind === "pinned")} onRemove={remove} />
    </>
  );
}

const PATH = "/api/check";

interface Done {
  readonly report?: CheckReport;
  readonly made?: number;
}

/** What the page shows, and what it can ask for. */
function useCheck() {
  const { data: state, error, refresh } = useApi<CheckState>(PATH);
  const { problem, isBusy: busy, attempt } = useAttempt();
  const [done, setDone] = useState<Done>({});
  const act = async (work: () => Promise<Done>) => {
    await attempt(async () => setDone(await work()));
    refresh();
  };
  return {
    ...{ state, busy, made: done.made, report: done.report ?? state?.last },
    ...{ problem, error, refresh },
    run: (accept: boolean) =>
      act(async () => ({ report: await api<CheckReport>(`${PATH}/run`, { body: { accept } }) })),
    make: () => act(() => api<Done>(`${PATH}/make`, { body: {} })),
    remove: (id: string) =>
      act(async () => {
        await api(`${PATH}/remove`, { body: { id } });
        return done;
      }),
  };
}

/** One run is no curve. */
function ScoreChart({ scores }: Pick<CheckState, "scores">) {
  const { t, language } = useI18n();
  const [first, last] = [scores[0], scores.at(-1)];
  if (!first || !last || first === last) return null;
  const day = ({ at }: typeof first) => formatDay(Date.parse(at), language);
  const points = scores.map(({ score }, at) => `${at},${1 - score}`).join(" ");
  return (
    <Card title={t("checkOverTime")}>
      <svg
        class="chart"
        role="img"
        aria-label={t("checkScores", scores.length, last.score.toFixed(3))}
        viewBox={`0 0 ${scores.length - 1} 1`}
        preserveAspectRatio="none"
      >
        <polyline points={points} />
      </svg>
      <p class="row between muted small">
        <span>{`${day(first)}: ${first.score.toFixed(3)}`}</span>
        <span>{`${day(last)}: ${last.score.toFixed(3)}`}</span>
      </p>
    </Card>
  );
}

interface ReportProps {
  readonly report: CheckReport;
  readonly busy: boolean;
  readonly onAccept: () => void;
}

function Report({ report, busy, onAccept }: ReportProps) {
  const { t } = useI18n();
  const { at, found, asked, lost, before } = report;
  const losses = lost.filter(({ isLoss }) => isLoss);
  const never = lost.filter(({ isLoss }) => !isLoss);
  const score = report.score.toFixed(3);
  const tiles = [
    [t("checkFound"), t("checkOf", found, asked)],
    [t("checkScore"), before === undefined ? score : t("checkBefore", score, before.toFixed(3))],
    [t("checkLast"), <RelativeDate key="when" iso={at} />],
  ] as const;
  return (
    <>
      <Tiles tiles={tiles} />
      <Losses {...{ losses, busy, onAccept }} />
      {never.length > 0 && (
        <Collapsible class="fold" summary={t("checkNever", never.length)}>
          {() => <LostList lost={never} />}
        </Collapsible>
      )}
    </>
  );
}

type LossesProps = Pick<ReportProps, "busy" | "onAccept"> & { readonly losses: readonly Lost[] };

function Losses({ losses, busy, onAccept }: LossesProps) {
  const { t } = useI18n();
  if (losses.length === 0)
    return (
      <p class="notice good" role="status">
        {t("checkNothingLost")}
      </p>
    );
  return (
    <section class="notice bad" aria-label={t("checkLost")}>
      <h2>
        {t("checkLost")} ({losses.length})
      </h2>
      <LostList lost={losses} />
      <Button class="quiet" text={t("checkAccept")} disabled={busy} onClick={onAccept} />
    </section>
  );
}

function LostList({ lost }: { lost: readonly Lost[] }) {
  const { sayWord } = useI18n();
  return (
    <ul>
      {lost.map(({ id, question, filename, documentId, step }) => (
        <li key={id}>
          <a href={toPath("search", undefined, { q: question })}>{question}</a>{" "}
          <span class="muted">
            <a href={toPath("documents", documentId)}>{filename}</a>: {sayWord(step)}
          </span>
        </li>
      ))}
    </ul>
  );
}

interface PinnedProps {
  readonly questions: CheckState["questions"];
  readonly onRemove: (id: string) => void;
}

function Pinned({ questions, onRemove }: PinnedProps) {
  const { t } = useI18n();
  if (questions.length === 0) return null;
  return (
    <Card title={t("checkPinned", questions.length)}>
      <ul>
        {questions.map(({ id, question, filename }) => (
          <li key={id}>
            {question} <span class="muted">{t("checkExpects", filename)}</span>{" "}
            <Button
              class="quiet"
              text={t("remove")}
              aria-label={`${t("remove")}: ${question}`}
              onClick={() => onRemove(id)}
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}
