import { formatOfName } from "../../../../domain/format-name.ts";
import type { KbAnswer } from "../../../../tools/answers/contract.ts";
import { Markdown } from "../../parts/markdown.tsx";
import { type Say, useSpeech } from "../../state/language.ts";
import { toHash } from "../../state/route.ts";
import { placeName, placeQuery } from "../place.ts";
import { compact, fromQuote } from "../results/passage-text.ts";

export type Citation = KbAnswer["citations"][number];

export function sourceName({ location }: Citation, say: Say): string {
  const { filename, page, slide, sheet } = location;
  const place = placeName(
    {
      ...(page === undefined ? {} : { page }),
      ...(slide === undefined ? {} : { slide }),
      ...(sheet === undefined ? {} : { sheet }),
    },
    say,
  );
  return [filename, place].filter(Boolean).join(" · ") || JSON.stringify(location);
}

/** The document's page at the cited place; undefined if the source is not one of the documents. */
function sourceAddress({ location }: Citation, query: string): string | undefined {
  const { document_id, start, end, quotes } = location;
  const whole = start !== undefined && end !== undefined ? { start, end } : undefined;
  const span = quotes?.[0] ?? whole;
  if (!document_id) return undefined;
  return toHash("documents", document_id, placeQuery(span, query));
}

interface SourceProps {
  readonly citation: Citation;
  readonly id: string;
  readonly query: string;
}

export function Source({ citation, id, query }: SourceProps) {
  const { say } = useSpeech();
  const address = sourceAddress(citation, query);
  const name = sourceName(citation, say);
  return (
    <li id={id} tabIndex={-1}>
      {address === undefined ? (
        <span>{name}</span>
      ) : (
        <a href={address} data-hit>
          {name}
        </a>
      )}
      {citation.location.ocr && <span class="muted small"> · {say("readByOcr")}</span>}
      <blockquote>
        <Markdown
          text={compact(fromQuote(citation.content, citation.location))}
          query={query}
          format={formatOfName(citation.location.filename ?? "")}
        />
      </blockquote>
    </li>
  );
}
