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
  const grounded = answer.grounded !== false;
  return (
    <section class="card answer" aria-label={say("answer")}>
      <h2>{say(grounded ? "answer" : "notInBase")}</h2>
      <p class="snippet">{grounded ? answer.answer : say("notInBaseText")}</p>
      {answer.citations.length > 0 && (
        <>
          <h3>{say("sources")}</h3>
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
