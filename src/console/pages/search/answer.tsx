// The answer: with its sources, or passages that may help, or nothing.
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { formatOfName } from "../../../domain/format-name.ts";
import type { KbAnswer } from "../../../tools/answers/contract.ts";
import { Markdown } from "../parts/markdown.tsx";
import { Button, Failed } from "../parts/parts.tsx";
import { SampleMark, useIsSample } from "../parts/samples.tsx";
import { togglePinned, useKept } from "../state/kept.ts";
import { sayMessage, type Translate, t } from "../state/language.ts";
import { call } from "../state/mcp.ts";
import { toPath } from "../state/route.ts";
import {
  cardText,
  compact,
  fromQuote,
  likelyWords,
  withoutFences,
  withoutMarkup,
} from "./passage-text.ts";
import { placeName, placeQuery } from "./place.ts";
import { isFiltered, questionOf, type SearchQuery, toAddress, toFilters } from "./search-query.ts";

type Answering =
  | { readonly state: "asking" }
  | { readonly state: "failed"; readonly thrown: unknown }
  | { readonly state: "given"; readonly answer: KbAnswer };

export function useAnswer() {
  const [answer, setAnswer] = useState<Answering>();
  const running = useRef<AbortController>(undefined);
  // Another question is being typed, or another address was opened.
  const forget = () => {
    running.current?.abort();
    setAnswer(undefined);
  };
  const ask = async (searchQuery: SearchQuery) => {
    forget();
    const abort = new AbortController();
    running.current = abort;
    setAnswer({ state: "asking" });
    try {
      const query = questionOf(searchQuery);
      const filters = isFiltered(searchQuery) && { filters: toFilters(searchQuery) };
      const given = await call("kb_answer", { query, ...filters }, abort.signal);
      if (!abort.signal.aborted) setAnswer({ state: "given", answer: given });
    } catch (thrown) {
      if (abort.signal.aborted) return;
      setAnswer({ state: "failed", thrown });
    }
  };
  return { answer, ask, forget };
}

const TITLE = {
  answered: "Answer",
  related: "Passages that may help",
  nothing: "No answer found",
} as const;

const UNANSWERED = {
  related: "No sentence answers this directly; these passages come closest.",
  nothing:
    "No sentence in your documents answers this. Look at the results below, try other words, or add a document that has the answer.",
  model:
    "A language model can answer more questions: choose one on the Settings page, or set KNOWLEDGE_LLM_URL.",
} as const;

interface AnswerCardProps {
  readonly answer: Answering;
  readonly query: string;
  readonly onRetry: () => void;
}

export function AnswerCard({ answer, query, onRetry }: AnswerCardProps) {
  if (answer.state === "failed") return <Failed thrown={answer.thrown} onRetry={onRetry} />;
  if (answer.state === "given") return <Given answer={answer.answer} query={query} />;
  return (
    <section class="card answer" aria-busy="true" aria-label={t("Answer")}>
      <p>{t("Looking for an answer…")}</p>
    </section>
  );
}

function Given({ answer, query }: { answer: KbAnswer; query: string }) {
  const id = useId();
  const toId = (index: number) => `${id}-source-${index + 1}`;
  const outcome = outcomeOf(answer);
  const { citations } = answer;
  const isSample = useIsSample();
  return (
    <section class={`card answer ${outcome}`} aria-label={t("Answer")} aria-live="polite">
      <h2>{t(TITLE[outcome])}</h2>
      {outcome === "answered" && <CitedText text={answer.answer} {...{ citations, toId }} />}
      {outcome !== "answered" && (
        <>
          <p>{t(UNANSWERED[outcome])}</p>
          <p class="muted small">{t(UNANSWERED.model)}</p>
        </>
      )}
      {answer.warning_code && <p class="muted">{sayMessage(answer.warning_code)}</p>}
      {citations.length > 0 && (
        <>
          {outcome === "answered" && <h3>{t("Cited sources")}</h3>}
          <ol class="sources">
            {citations.map((citation, index) => (
              <Source
                key={toId(index)}
                id={toId(index)}
                isSample={isSample(citation.location.document_id)}
                {...{ citation, query }}
              />
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

interface CitedTextProps {
  readonly text: string;
  readonly citations: readonly Citation[];
  readonly toId: (index: number) => string;
}

const MARK = /(\[\d{1,2}\])/;
const CARD_CHARS = 220;

/** Each [n] jumps to its source and shows it while the pointer is over it. */
function CitedText({ text, citations, toId }: CitedTextProps) {
  const likely = citations
    .map(({ content, location }) => likelyWords(content, location))
    .filter((words) => words !== "");
  return (
    <p class="snippet answer-text">
      {withoutFences(text)
        .split(MARK)
        .map((part, at) => {
          const index = Number(part.slice(1, -1)) - 1;
          const citation = at % 2 === 1 ? citations[index] : undefined;
          const key = `${at}-${part}`;
          if (!citation) return <Emphasised key={key} text={part} likely={likely} />;
          return <Mark key={key} number={index + 1} citation={citation} target={toId(index)} />;
        })}
    </p>
  );
}

/** The words that answer are bold, where they occur first. */
function Emphasised({ text, likely }: { text: string; likely: readonly string[] }) {
  const words = likely.find((each) => text.includes(each));
  if (words === undefined) return <>{text}</>;
  const at = text.indexOf(words);
  return (
    <>
      {text.slice(0, at)}
      <strong>{words}</strong>
      {text.slice(at + words.length)}
    </>
  );
}

function Mark(props: { number: number; citation: Citation; target: string }) {
  const { number, citation, target } = props;
  const name = sourceName(citation, t);
  return (
    <span class="cite">
      <Button
        class="link"
        text={`[${number}]`}
        aria-label={t("Source {0}: {1}", number, name)}
        onClick={() => jumpTo(target)}
      />
      <span class="hover-card" aria-hidden="true">
        <strong>{name}</strong>
        <span>{shorten(withoutMarkup(cardText(citation.content, citation.location)))}</span>
      </span>
    </span>
  );
}

function shorten(text: string): string {
  return text.length <= CARD_CHARS ? text : `${text.slice(0, CARD_CHARS).trim()}…`;
}

function jumpTo(id: string): void {
  const source = document.getElementById(id);
  source?.scrollIntoView({ block: "center" });
  source?.focus({ preventScroll: true });
}

type Citation = KbAnswer["citations"][number];

function sourceName({ location }: Citation, t: Translate): string {
  return (
    [location.filename, placeName(location, t)].filter(Boolean).join(" · ") ||
    JSON.stringify(location)
  );
}

/** The document's page at the cited place; undefined if the source is not one of the documents. */
function sourceAddress({ location }: Citation, query: string): string | undefined {
  const { document_id, start, end, quotes } = location;
  const whole = start !== undefined && end !== undefined ? { start, end } : undefined;
  const span = quotes?.[0] ?? whole;
  if (!document_id) return undefined;
  return toPath("documents", document_id, placeQuery(span, query));
}

/** Where the likely words are in what is shown of the passage. */
function likelySpans(shown: string, { content, location }: Citation) {
  const words = likelyWords(content, location);
  const start = words === "" ? -1 : shown.indexOf(words);
  return start < 0 ? [] : [{ start, end: start + words.length, className: "likely" }];
}

interface SourceProps {
  readonly citation: Citation;
  readonly isSample: boolean;
  readonly id: string;
  readonly query: string;
}

function Source({ citation, isSample, id, query }: SourceProps) {
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
      {isSample && (
        <>
          {" "}
          <SampleMark />
        </>
      )}
      {citation.location.ocr && <span class="muted small"> · {t("read by OCR")}</span>}
      <blockquote>
        <Markdown
          text={shown}
          query={query}
          spans={likelySpans(shown, citation)}
          format={formatOfName(citation.location.filename ?? "")}
          filename={citation.location.filename}
        />
      </blockquote>
    </li>
  );
}

/** How a follow-up was understood, and what can be done with a question: share it, keep it. */
export function AskedAs({ searchQuery }: { readonly searchQuery: SearchQuery }) {
  return (
    <div class="row between asked">
      {searchQuery.about ? (
        <p class="small">
          {t("Asked as “{0}”.", questionOf(searchQuery))}{" "}
          <a href={toAddress({ ...searchQuery, about: "" })}>
            {t("Ask only “{0}”", searchQuery.text)}
          </a>
        </p>
      ) : (
        <p class="muted small">{t("You can go on asking: “and in Canada?”")}</p>
      )}
      <Keep address={toAddress(searchQuery)} />
    </div>
  );
}

function Keep({ address }: { readonly address: string }) {
  const isPinned = useKept("pinned").includes(address);
  const [copied, setCopied] = useState(false);
  useLayoutEffect(() => setCopied(false), [address]);
  const copy = () =>
    navigator.clipboard
      ?.writeText(new URL(address, location.origin).href)
      .then(() => setCopied(true));
  return (
    <span class="row">
      <Button
        class="quiet small"
        icon="pin"
        text={t(isPinned ? "Unpin" : "Pin")}
        aria-pressed={isPinned}
        onClick={() => togglePinned(address)}
      />
      <Button
        class="quiet small"
        icon="link"
        text={t(copied ? "Copied" : "Copy link")}
        onClick={copy}
      />
    </span>
  );
}
