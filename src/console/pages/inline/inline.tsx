// Search results and a document's page inside a conversation: what the call returned, and the text around a hit.
import { createContext, render } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import type { SearchAnswer } from "../../../tools/documents/contract.ts";
import { MarkedText } from "../parts/highlight/marked-text.tsx";
import { type Host, openHost, type Structured } from "./host.ts";
import { type Words, wordsOf } from "./words.ts";

type Found = Pick<SearchAnswer, "results"> & { readonly query?: string | undefined };
type Hit = SearchAnswer["results"][number];

interface Read {
  readonly filename: string;
  readonly text: string;
  readonly page_num?: number | undefined;
  readonly sheet?: string | undefined;
}

const NO_SPANS: readonly never[] = [];

const WordsContext = createContext<Words>(wordsOf("en"));
const useWords = () => useContext(WordsContext);

function place({ page_num, sheet }: Pick<Read, "page_num" | "sheet">, words: Words) {
  if (page_num !== undefined) return words.page.replace("{0}", String(page_num));
  return sheet ?? "";
}

function Page({
  read,
  onBack,
}: {
  readonly read: Read;
  readonly onBack?: (() => void) | undefined;
}) {
  const words = useWords();
  return (
    <article>
      {onBack && (
        <button type="button" onClick={onBack}>
          ← {words.results}
        </button>
      )}
      <h1>
        {read.filename} <small>{place(read, words)}</small>
      </h1>
      <pre>{read.text}</pre>
    </article>
  );
}

function Results({
  found,
  onOpen,
}: {
  readonly found: Found;
  readonly onOpen: (hit: Hit) => void;
}) {
  const words = useWords();
  if (found.results.length === 0) return <p>{words.nothing}</p>;
  return (
    <ol>
      {found.results.map((hit) => (
        <li key={hit.chunk_id}>
          <button type="button" onClick={() => onOpen(hit)}>
            {hit.filename}
          </button>{" "}
          <small>
            {place(hit.metadata, words)} {Math.round(hit.relevance_score * 100)}%
          </small>
          <div class="text">
            <MarkedText
              text={hit.chunk_text}
              query={found.query ?? ""}
              spans={NO_SPANS}
              offset={0}
            />
          </div>
        </li>
      ))}
    </ol>
  );
}

function readOf(given: Structured | undefined): Read | undefined {
  const { text, filename = "", page_num, sheet } = given ?? {};
  return text === undefined ? undefined : { text, filename, page_num, sheet };
}

function View({ host }: { readonly host: Host }) {
  const [shown, setShown] = useState<Structured>();
  const [opened, setOpened] = useState<Read>();
  const [problem, setProblem] = useState("");
  const words = useWords();
  useEffect(() => host.onResult(setShown), [host]);
  const open = async ({ document_id, chunk_id }: Hit) => {
    try {
      const read = readOf(await host.call("knowledge-read", { document_id, chunk_id }));
      if (read) setOpened(read);
      else setProblem(words.unread);
    } catch {
      setProblem(words.unread);
    }
  };
  if (shown === undefined) return <p role="status">{words.waiting}</p>;
  if (opened) return <Page read={opened} onBack={() => setOpened(undefined)} />;
  const read = readOf(shown);
  if (read) return <Page read={read} />;
  const { results, query, message, success } = shown;
  return (
    <main>
      {(problem || success === false) && <p role="alert">{problem || message}</p>}
      {results && <Results found={{ results, query }} onOpen={open} />}
    </main>
  );
}

function InOneLanguage({ host }: { readonly host: Host }) {
  const [locale, setLocale] = useState(navigator.language);
  useEffect(() => host.onLocale(setLocale), [host]);
  useEffect(() => {
    document.documentElement.lang = locale;
  }, [locale]);
  return (
    <WordsContext.Provider value={wordsOf(locale)}>
      <View host={host} />
    </WordsContext.Provider>
  );
}

const root = document.getElementById("view");
if (root) render(<InOneLanguage host={openHost()} />, root);
