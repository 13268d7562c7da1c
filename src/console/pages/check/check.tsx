// Questions that a search should find something for, and what the last run lost.

import { useState } from "preact/hooks";
import type { CheckReport, CheckState, Lost } from "../../../tools/operations.ts";
import { useAttempt } from "../parts/dialog.tsx";
import { Button, Card, Collapsible, Empty, Problem, RelativeDate, Tiles } from "../parts/parts.tsx";
import { formatDay, sayWord, t } from "../state/language.ts";
import { api } from "../state/mcp.ts";
import { toPath } from "../state/route.ts";
import { useApi } from "../state/use-live.tsx";

const ABOUT =
  "Questions that a search should find something for. Run them before and after an upgrade or a change of model: the page shows what was lost, and why.";
const NONE =
  "Make some from your documents, or pin a search result: open a search and press “Check this”.";

export function CheckPage() {
  const check = useCheck();
  const { state, problem, busy, report, made, run, make, remove } = check;
  const questions = state?.questions ?? [];
  const makeText = t("Make questions from the documents");
  const makeButton = (look?: string) => (
    <Button class={look} text={makeText} disabled={busy} onClick={make} />
  );
  return (
    <>
      <h1>{t("Check")}</h1>
      <p>{t(ABOUT)}</p>
      <Problem text={problem} />
      {check.failed}
      <div class="row check-actions">
        {questions.length > 0 && (
          <>
            <Button
              text={t(busy ? "Searching…" : "Run the check")}
              disabled={busy}
              onClick={() => run(false)}
            />
            {makeButton("quiet")}
          </>
        )}
        {made !== undefined && (
          <span role="status">{t("{0|question was|questions were} made.", made)}</span>
        )}
      </div>
      {state && questions.length === 0 && (
        <Empty icon="check" title={t("No questions yet")} text={t(NONE)}>
          {makeButton()}
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
  const { data: state, failed, refresh } = useApi<CheckState>(PATH);
  const { problem, isBusy: busy, attempt } = useAttempt();
  const [done, setDone] = useState<Done>({});
  const act = async (work: () => Promise<Done>) => {
    await attempt(async () => setDone(await work()));
    refresh();
  };
  return {
    ...{ state, busy, made: done.made, report: done.report ?? state?.last },
    ...{ problem, failed },
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
  const [first, last] = [scores[0], scores.at(-1)];
  if (!first || !last || first === last) return null;
  const day = ({ at }: typeof first) => formatDay(Date.parse(at));
  const points = scores.map(({ score }, at) => `${at},${1 - score}`).join(" ");
  return (
    <Card title={t("Score over time")}>
      <svg
        class="chart"
        role="img"
        aria-label={t("{0|run|runs}; the last score is {1}", scores.length, last.score.toFixed(3))}
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
  const { at, found, asked, lost, before } = report;
  const losses = lost.filter(({ isLoss }) => isLoss);
  const never = lost.filter(({ isLoss }) => !isLoss);
  const score = report.score.toFixed(3);
  const tiles = [
    [t("Found"), t("{0} of {1}", found, asked)],
    [t("Score"), before === undefined ? score : t("{0} (before: {1})", score, before.toFixed(3))],
    [t("Last run"), <RelativeDate key="when" iso={at} />],
  ] as const;
  return (
    <>
      <Tiles tiles={tiles} />
      <Losses {...{ losses, busy, onAccept }} />
      {never.length > 0 && (
        <Collapsible class="fold" summary={t("Never found ({0})", never.length)}>
          {() => <LostList lost={never} />}
        </Collapsible>
      )}
    </>
  );
}

type LossesProps = Pick<ReportProps, "busy" | "onAccept"> & { readonly losses: readonly Lost[] };

function Losses({ losses, busy, onAccept }: LossesProps) {
  if (losses.length === 0)
    return (
      <p class="notice good" role="status">
        {t("Nothing was lost.")}
      </p>
    );
  return (
    <section class="notice bad" aria-label={t("Lost")}>
      <h2>
        {t("Lost")} ({losses.length})
      </h2>
      <LostList lost={losses} />
      <Button class="quiet" text={t("Accept as it is")} disabled={busy} onClick={onAccept} />
    </section>
  );
}

function LostList({ lost }: { lost: readonly Lost[] }) {
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
  if (questions.length === 0) return null;
  return (
    <Card title={t("Pinned ({0})", questions.length)}>
      <ul>
        {questions.map(({ id, question, filename }) => (
          <li key={id}>
            {question} <span class="muted">{t("expects {0}", filename)}</span>{" "}
            <Button
              class="quiet"
              text={t("Remove")}
              aria-label={`${t("Remove")}: ${question}`}
              onClick={() => onRemove(id)}
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}
