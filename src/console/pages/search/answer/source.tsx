import { formatOfName } from "../../../../domain/format-name.ts";
import type { KbAnswer } from "../../../../tools/answers/contract.ts";
import { Markdown } from "../../parts/markdown.tsx";
import { type Translate, useI18n } from "../../state/language.ts";
import { toHash } from "../../state/route.ts";
import { placeName, placeQuery } from "../place.ts";
import { compact, fromQuote, likelyWords } from "../results/passage-text.ts";

export type Citation = KbAnswer["citations"][number];

export function sourceName({ location }: Citation, t: Translate): string {
  const { filename, page, slide, sheet } = location;
  const place = placeName(
    {
      ...(page === undefined ? {} : { page }),
      ...(slide === undefined ? {} : { slide }),
      ...(sheet === undefined ? {} : { sheet }),
    },
    t,
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

/** Where the likely words are in what is shown of the passage. */
function likelySpans(shown: string, { content, location }: Citation) {
  const words = likelyWords(content, location);
  const start = words === "" ? -1 : shown.indexOf(words);
  return start < 0 ? [] : [{ start, end: start + words.length, className: "likely" }];
}

interface SourceProps {
  readonly citation: Citation;
  readonly id: string;
  readonly query: string;
}

export function Source({ citation, id, query }: SourceProps) {
  const { t } = useI18n();
  const address = sourceAddress(citation, query);
  const name = sourceName(citation, t);
  const shown = compact(fromQuote(citation.content, citation.location));
  return (
    <li id={id} tabIndex={-1}>
      {address === undefined ? (
        <span>{name}</span>
      ) : (
        <a href={address} data-hit>
          {name}
        </a>
      )}
      {citation.location.ocr && <span class="muted small"> · {t("readByOcr")}</span>}
      <blockquote>
        <Markdown
          text={shown}
          query={query}
          spans={likelySpans(shown, citation)}
          format={formatOfName(citation.location.filename ?? "")}
        />
      </blockquote>
    </li>
  );
}
