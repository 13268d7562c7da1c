// Search results and a document's page inside a conversation: what the call returned, and the text around a hit.
import { createContext, render } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import type { SearchAnswer } from "../../../tools/documents/contract.ts";
import { MarkedText } from "../parts/marked-text.tsx";
import { useStore } from "../state/store.ts";
import { type Host, openHost, type Structured } from "./host.ts";

/** [English, Japanese] */
const WORDS = {
  results: ["Results", "検索結果"],
  nothing: ["Nothing was found.", "見つかりませんでした。"],
  unread: ["The document could not be read.", "文書を読み込めませんでした。"],
  waiting: ["Waiting for the result …", "結果を待っています…"],
  page: ["p. {0}", "{0} ページ"],
} as const;

type Say = (key: keyof typeof WORDS) => string;

/** `locale` is a BCP 47 tag. */
const sayIn = (locale: string): Say => {
  const at = /^ja\b/i.test(locale) ? 1 : 0;
  return (key) => WORDS[key][at];
};

type Hit = SearchAnswer["results"][number];

interface Read {
  readonly filename: string;
  readonly text: string;
  readonly page_num?: number | undefined;
  readonly sheet?: string | undefined;
}

const SayContext = createContext(sayIn("en"));
const useSay = () => useContext(SayContext);

function place({ page_num, sheet }: Pick<Read, "page_num" | "sheet">, say: Say) {
  if (page_num !== undefined) return say("page").replace("{0}", String(page_num));
  return sheet ?? "";
}

function Page({ read, onBack }: { readonly read: Read; readonly onBack?: () => void }) {
  const say = useSay();
  return (
    <article>
      {onBack && (
        <button type="button" onClick={onBack}>
          ← {say("results")}
        </button>
      )}
      <h1>
        {read.filename} <small>{place(read, say)}</small>
      </h1>
      <pre>{read.text}</pre>
    </article>
  );
}

interface ResultsProps {
  readonly results: SearchAnswer["results"];
  readonly query: string;
  readonly onOpen: (hit: Hit) => void;
}

function Results({ results, query, onOpen }: ResultsProps) {
  const say = useSay();
  if (results.length === 0) return <p>{say("nothing")}</p>;
  return (
    <ol>
      {results.map((hit) => (
        <li key={hit.chunk_id}>
          <button type="button" onClick={() => onOpen(hit)}>
            {hit.filename}
          </button>{" "}
          <small>
            {place(hit.metadata, say)} {Math.round(hit.relevance_score * 100)}%
          </small>
          <div class="text">
            <MarkedText text={hit.chunk_text} query={query} />
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
  const shown = useStore(host.shown);
  const [opened, setOpened] = useState<Read>();
  const [problem, setProblem] = useState("");
  const say = useSay();
  const open = async ({ document_id, chunk_id }: Hit) => {
    try {
      const read = readOf(await host.call("knowledge-read", { document_id, chunk_id }));
      if (read) setOpened(read);
      else setProblem(say("unread"));
    } catch {
      setProblem(say("unread"));
    }
  };
  if (shown === undefined) return <p role="status">{say("waiting")}</p>;
  if (opened) return <Page read={opened} onBack={() => setOpened(undefined)} />;
  const read = readOf(shown);
  if (read) return <Page read={read} />;
  const { results, query, message, success } = shown;
  return (
    <main>
      {(problem || success === false) && <p role="alert">{problem || message}</p>}
      {results && <Results results={results} query={query ?? ""} onOpen={open} />}
    </main>
  );
}

function InOneLanguage({ host }: { readonly host: Host }) {
  const locale = useStore(host.locale);
  useEffect(() => {
    document.documentElement.lang = locale;
  }, [locale]);
  return (
    <SayContext.Provider value={sayIn(locale)}>
      <View host={host} />
    </SayContext.Provider>
  );
}

const root = document.getElementById("view");
if (root) render(<InOneLanguage host={openHost()} />, root);
