import type { KbAnswer } from "../../../tools/answers/contract.ts";
import { useSpeech } from "../state/language.ts";
import { toHash } from "../state/route.ts";
import { compact, fromQuote } from "./passage-text.ts";
import { placeName } from "./place.ts";

type Citation = KbAnswer["citations"][number];

export function AnswerCard({ answer }: { answer: KbAnswer | "asking" }) {
  const { say } = useSpeech();
  if (answer === "asking") {
    return (
      <section class="card answer" aria-busy="true" aria-label={say("answer")}>
        {say("asking")}
      </section>
    );
  }
  const outcome = outcomeOf(answer);
  const title = { answered: "answer", related: "mayHelp", nothing: "notInBase" } as const;
  return (
    <section class="card answer" aria-label={say("answer")}>
      <h2>{say(title[outcome])}</h2>
      {outcome === "answered" && <p class="snippet">{answer.answer}</p>}
      {outcome === "related" && <p class="muted">{say("mayHelpText")}</p>}
      {outcome === "nothing" && <p class="snippet">{say("notInBaseText")}</p>}
      {answer.warning && <p class="muted">{answer.warning}</p>}
      {answer.citations.length > 0 && (
        <>
          {outcome === "answered" && <h3>{say("sources")}</h3>}
          <ol>
            {answer.citations.map((citation, index) => (
              <li key={`${index}-${citation.content.length}`}>
                <Source citation={citation} />
                <blockquote>{compact(fromQuote(citation.content, citation.location))}</blockquote>
              </li>
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

function Source({ citation }: { citation: Citation }) {
  const { say } = useSpeech();
  const { document_id, filename, start, end, quotes, ...place } = citation.location;
  const span =
    quotes?.[0] ?? (start !== undefined && end !== undefined ? { start, end } : undefined);
  const name = [filename, placeName(place, say)].filter(Boolean).join(" · ");
  if (!document_id) return <span>{name || JSON.stringify(citation.location)}</span>;
  return (
    <a href={toHash("documents", document_id, span ? { span: `${span.start}-${span.end}` } : {})}>
      {name}
    </a>
  );
}
