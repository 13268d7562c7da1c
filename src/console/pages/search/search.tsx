import { useEffect, useState } from "preact/hooks";
import { FORMATS } from "../../../domain/document.ts";
import type { KbAnswer } from "../../../tools/answers/contract.ts";
import type { SearchAnswer, SearchResult } from "../../../tools/documents/contract.ts";
import { Highlighted } from "../parts/highlighted.tsx";
import { type Say, useSpeech } from "../state/language.ts";
import { CallFailed, call, TokenNeeded } from "../state/mcp.ts";
import { isOffered, useOffered } from "../state/offered.ts";
import { type Route, toHash } from "../state/route.ts";
import { AnswerCard } from "./answer-card.tsx";
import { compact } from "./passage-text.ts";
import { placeName } from "./place.ts";

const TYPING_MS = 180;

export function SearchPage({ route }: { route: Route }) {
  const { say } = useSpeech();
  const answers = isOffered(useOffered(), "kb_answer");
  const [query, setQuery] = useState(route.query.get("q") ?? "");
  const [format, setFormat] = useState("");
  const [since, setSince] = useState("");
  const [found, setFound] = useState<SearchAnswer>();
  const [problem, setProblem] = useState("");
  const [answer, setAnswer] = useState<KbAnswer | "asking">();

  useEffect(() => {
    const text = query.trim();
    setAnswer(undefined);
    // Kept in the address, so that going back from a document finds the results again.
    history.replaceState(null, "", toHash("search", undefined, text ? { q: text } : {}));
    if (!text) {
      setFound(undefined);
      return;
    }
    const abort = new AbortController();
    const timer = setTimeout(() => {
      const filters = {
        ...(format ? { format } : {}),
        ...(since ? { date_range: { start: since } } : {}),
      };
      call("knowledge-search", { query: text, top_k: 10, filters, explain: true }, abort.signal)
        .then((next) => {
          setFound(next);
          setProblem("");
        })
        .catch((thrown: unknown) => {
          if (abort.signal.aborted) return;
          if (thrown instanceof TokenNeeded) dispatchEvent(new Event("token-needed"));
          setFound(undefined);
          setProblem(problemOf(thrown, say));
        });
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [query, format, since, say]);

  const ask = async (event: Event) => {
    event.preventDefault();
    if (!query.trim() || !answers) return;
    setAnswer("asking");
    try {
      setAnswer(await call("kb_answer", { query: query.trim() }));
    } catch (thrown) {
      setAnswer(undefined);
      setProblem(thrown instanceof Error ? thrown.message : String(thrown));
    }
  };

  return (
    <>
      <h1>{say("search")}</h1>
      <search>
        <form class="row searchbar" onSubmit={ask}>
          <input
            id="search-box"
            type="search"
            class="grow"
            aria-label={say("askOrSearch")}
            placeholder={say("searchPlaceholder")}
            maxLength={500}
            value={query}
            onInput={(event) => setQuery(event.currentTarget.value)}
          />
          {answers && <button type="submit">{say("ask")}</button>}
        </form>
      </search>
      <div class="row">
        <label class="inline">
          {say("format")}
          <select value={format} onChange={(event) => setFormat(event.currentTarget.value)}>
            <option value="">{say("anyFormat")}</option>
            {FORMATS.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label class="inline">
          {say("since")}
          <input
            type="date"
            value={since}
            onInput={(event) => setSince(event.currentTarget.value)}
          />
        </label>
      </div>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {answer && <AnswerCard answer={answer} />}
      <p class="muted" role="status">
        {found
          ? say("results", found.total_results, Math.round(found.search_time_ms))
          : say("searchHint")}
      </p>
      {found?.results.length === 0 && <p>{say("noResults")}</p>}
      <ol class="results">
        {found?.results.map((hit) => (
          <Result key={hit.chunk_id} hit={hit} query={query} />
        ))}
      </ol>
    </>
  );
}

function problemOf(thrown: unknown, say: Say): string {
  const empty = thrown instanceof CallFailed && thrown.payload["error"] === "empty_knowledge_base";
  if (empty) return `${say("emptyTitle")}. ${say("emptyHint")}`;
  return thrown instanceof Error ? thrown.message : String(thrown);
}

function Result({ hit, query }: { hit: SearchResult; query: string }) {
  const { say } = useSpeech();
  const { page_num, slide_num, sheet, headings, span, score_parts: parts } = hit.metadata;
  const place = placeName(
    {
      ...(page_num !== undefined ? { page: page_num } : {}),
      ...(slide_num !== undefined ? { slide: slide_num } : {}),
      ...(sheet !== undefined ? { sheet } : {}),
    },
    say,
  );
  const target = toHash(
    "documents",
    hit.document_id,
    span ? { span: `${span.start}-${span.end}` } : {},
  );
  return (
    <li class="card">
      <div class="row between">
        <h2>
          <a href={target}>{hit.filename}</a>
          {place && <span class="muted"> · {place}</span>}
        </h2>
        <details class="score">
          <summary title={say("whyScore")}>
            {say("score")} {(hit.relevance_score * 100).toFixed(0)} %
          </summary>
          <dl>
            <Meter label={say("scoreLexical")} value={parts?.lexical} />
            <Meter label={say("scoreVector")} value={parts?.vector} />
          </dl>
        </details>
      </div>
      {headings && headings.length > 0 && <p class="muted">{headings.join(" › ")}</p>}
      <p class="snippet">
        <Highlighted text={compact(hit.chunk_text)} query={query} />
      </p>
    </li>
  );
}

function Meter({ label, value }: { label: string; value: number | undefined }) {
  if (value === undefined) return null;
  return (
    <div class="row">
      <dt>{label}</dt>
      <dd>
        <meter min={0} max={1} value={Math.min(1, value)} aria-label={label} /> {value.toFixed(2)}
      </dd>
    </div>
  );
}
