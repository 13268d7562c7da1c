// Search results and a document's page inside a conversation: what the call returned, and what is around a hit.
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { MarkedText } from "../parts/marked-text.tsx";
import { type Host, openHost } from "./host.ts";

interface Hit {
  readonly document_id: string;
  readonly chunk_id: string;
  readonly filename: string;
  readonly chunk_text: string;
  readonly relevance_score: number;
  readonly metadata: { readonly page_num?: number; readonly sheet?: string };
}

interface Found {
  readonly query?: string;
  readonly results: readonly Hit[];
}

interface Read {
  readonly filename: string;
  readonly text: string;
  readonly page_num?: number;
  readonly sheet?: string;
}

const NO_SPANS: readonly never[] = [];

function place({ page_num, sheet }: { readonly page_num?: number; readonly sheet?: string }) {
  if (page_num !== undefined) return `p. ${page_num}`;
  return sheet ?? "";
}

function Page({
  read,
  onBack,
}: {
  readonly read: Read;
  readonly onBack?: (() => void) | undefined;
}) {
  return (
    <article>
      {onBack && (
        <button type="button" onClick={onBack}>
          ← Results
        </button>
      )}
      <h1>
        {read.filename} <small>{place(read)}</small>
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
  if (found.results.length === 0) return <p>Nothing was found.</p>;
  return (
    <ol>
      {found.results.map((hit) => (
        <li key={hit.chunk_id}>
          <button type="button" onClick={() => onOpen(hit)}>
            {hit.filename}
          </button>{" "}
          <small>
            {place(hit.metadata)} {Math.round(hit.relevance_score * 100)}%
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

function View({ host }: { readonly host: Host }) {
  const [shown, setShown] = useState<unknown>();
  const [opened, setOpened] = useState<Read>();
  const [problem, setProblem] = useState("");
  useEffect(() => host.onResult(setShown), [host]);
  const open = async ({ document_id, chunk_id }: Hit) => {
    try {
      const read = (await host.call("knowledge-read", { document_id, chunk_id })) as Partial<Read>;
      if (typeof read?.text === "string") setOpened(read as Read);
      else setProblem("The document could not be read.");
    } catch {
      setProblem("The document could not be read.");
    }
  };
  const given = (shown ?? {}) as Partial<Found & Read & { message: string; success: boolean }>;
  if (shown === undefined) return <p role="status">Waiting for the result …</p>;
  if (opened) return <Page read={opened} onBack={() => setOpened(undefined)} />;
  if (typeof given.text === "string") return <Page read={given as Read} />;
  return (
    <main>
      {(problem || given.success === false) && <p role="alert">{problem || given.message}</p>}
      {given.results && <Results found={given as Found} onOpen={open} />}
    </main>
  );
}

const root = document.getElementById("view");
if (root) render(<View host={openHost()} />, root);
