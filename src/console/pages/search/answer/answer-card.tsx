// The answer: with its sources, or passages that may help, or nothing.
import { useId } from "preact/hooks";
import type { KbAnswer } from "../../../../tools/answers/contract.ts";
import { useSpeech } from "../../state/language.ts";
import { CitedText } from "./cited-text.tsx";
import { Source } from "./source.tsx";
import type { Answering } from "./use-answer.ts";

const TITLE = { answered: "answer", related: "mayHelp", nothing: "notInBase" } as const;

export function AnswerCard({ answer, query }: { answer: Answering; query: string }) {
  const { say, explain } = useSpeech();
  if (answer.state === "given") return <Given answer={answer.answer} query={query} />;
  const failed = answer.state === "failed";
  return (
    <section class="card answer" aria-busy={!failed} aria-label={say("answer")}>
      {failed ? (
        <p class="problem" role="alert">
          {say("failed", explain(answer.thrown))}
        </p>
      ) : (
        <p>{say("asking")}</p>
      )}
    </section>
  );
}

function Given({ answer, query }: { answer: KbAnswer; query: string }) {
  const { say, sayNotice } = useSpeech();
  const id = useId();
  const toId = (index: number) => `${id}-source-${index + 1}`;
  const outcome = outcomeOf(answer);
  const { citations } = answer;
  return (
    <section class={`card answer ${outcome}`} aria-label={say("answer")} aria-live="polite">
      <h2>{say(TITLE[outcome])}</h2>
      {outcome === "answered" && <CitedText text={answer.answer} {...{ citations, toId }} />}
      {outcome === "related" && <p class="muted">{say("mayHelpText")}</p>}
      {outcome === "nothing" && <p>{say("notInBaseText")}</p>}
      {outcome !== "answered" && <p class="muted small">{say("addModel")}</p>}
      {answer.warning && <p class="muted">{sayNotice(answer.warning)}</p>}
      {citations.length > 0 && (
        <>
          {outcome === "answered" && <h3>{say("sources")}</h3>}
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
