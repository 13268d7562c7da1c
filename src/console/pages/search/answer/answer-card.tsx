// The answer: with its sources, or passages that may help, or nothing.
import { useId } from "preact/hooks";
import type { KbAnswer } from "../../../../tools/answers/contract.ts";
import { useI18n } from "../../state/language.ts";
import { CitedText } from "./cited-text.tsx";
import { Source } from "./source.tsx";
import type { Answering } from "./use-answer.ts";

const TITLE = { answered: "answer", related: "mayHelp", nothing: "notInBase" } as const;

export function AnswerCard({ answer, query }: { answer: Answering; query: string }) {
  const { t, explain } = useI18n();
  if (answer.state === "given") return <Given answer={answer.answer} query={query} />;
  const failed = answer.state === "failed";
  return (
    <section class="card answer" aria-busy={!failed} aria-label={t("answer")}>
      {failed ? (
        <p class="problem" role="alert">
          {t("failed", explain(answer.thrown))}
        </p>
      ) : (
        <p>{t("asking")}</p>
      )}
    </section>
  );
}

function Given({ answer, query }: { answer: KbAnswer; query: string }) {
  const { t, sayAnswerWarning } = useI18n();
  const id = useId();
  const toId = (index: number) => `${id}-source-${index + 1}`;
  const outcome = outcomeOf(answer);
  const { citations } = answer;
  return (
    <section class={`card answer ${outcome}`} aria-label={t("answer")} aria-live="polite">
      <h2>{t(TITLE[outcome])}</h2>
      {outcome === "answered" && <CitedText text={answer.answer} {...{ citations, toId }} />}
      {outcome === "related" && <p class="muted">{t("mayHelpText")}</p>}
      {outcome === "nothing" && <p>{t("notInBaseText")}</p>}
      {outcome !== "answered" && <p class="muted small">{t("addModel")}</p>}
      {answer.warning && <p class="muted">{sayAnswerWarning(answer.warning)}</p>}
      {citations.length > 0 && (
        <>
          {outcome === "answered" && <h3>{t("sources")}</h3>}
          <ol class="sources">
            {citations.map((citation, index) => (
              <Source key={toId(index)} id={toId(index)} citation={citation} query={query} />
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

function outcomeOf({ outcome, grounded, citations }: KbAnswer) {
  if (outcome) return outcome;
  if (grounded !== false) return "answered";
  return citations.length > 0 ? "related" : "nothing";
}
