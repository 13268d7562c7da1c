// One document as an agent reads it: plain text, never rendered as HTML, with its passages drawn on it.
import { useEffect, useState } from "preact/hooks";
import type { DocumentView, Place } from "../../../tools/documents/contract.ts";
import { Icon } from "../parts/icon.tsx";
import { placeKey, placeName } from "../search/place.ts";
import { formatBytes, formatDate, useSpeech } from "../state/language.ts";
import { useLive } from "../state/live.ts";
import { authHeaders, readJson } from "../state/mcp.ts";
import { type Route, toHash } from "../state/route.ts";
import { READ_BY } from "./read-by.ts";
import { cut, type Stretch } from "./stretches.ts";

interface Section {
  readonly place: Place;
  readonly start: number;
  readonly end: number;
}

/** Runs of blocks on the same page, slide or sheet, widened so that they cover the whole text. */
function sections(view: DocumentView): readonly Section[] {
  const runs: { place: Place; start: number; end: number }[] = [];
  for (const block of view.blocks) {
    const last = runs.at(-1);
    if (last && placeKey(last.place) === placeKey(block.place)) last.end = block.end;
    else runs.push({ place: block.place, start: last ? block.start : 0, end: block.end });
  }
  const first = runs[0];
  if (!first) return [{ place: {}, start: 0, end: view.text.length }];
  return runs.map((run, index) => ({ ...run, end: runs[index + 1]?.start ?? view.text.length }));
}

export function DocumentPage({ id, route }: { id: string; route: Route }) {
  const { say, language } = useSpeech();
  const [drawn, setDrawn] = useState(true);
  const { data: view, error } = useLive(
    (signal) => readJson<DocumentView>(`knowledge://documents/${id}/passages`, signal),
    0,
    [id],
  );
  if (error) return <p class="problem">{say("failed", error)}</p>;
  if (!view) return <p aria-busy="true">{say("loading")}</p>;
  const { document } = view;
  const marked = markedSpan(route);
  return (
    <>
      <p>
        <a href={toHash("documents")}>← {say("backToDocuments")}</a>
      </p>
      <div class="row between">
        <h1>{document.filename}</h1>
        <button type="button" onClick={() => download(document.id, document.filename)}>
          <Icon name="down" /> {say("original")}
        </button>
      </div>
      <p class="muted">
        <span class="badge">{document.format}</span> {formatBytes(document.size_bytes, language)} ·{" "}
        {document.chunk_count} {say("chunks")} · {say(READ_BY[document.processing_method])} ·{" "}
        {formatDate(document.date_added, language)}
      </p>
      {document.warnings.length > 0 && (
        <section class="card" aria-labelledby="warnings">
          <h2 id="warnings">{say("warnings")}</h2>
          <ul>
            {document.warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </section>
      )}
      <div class="row between">
        <h2>{say("asAgentReads")}</h2>
        <label class="inline">
          <input
            type="checkbox"
            checked={drawn}
            onChange={(event) => setDrawn(event.currentTarget.checked)}
          />
          {say("showChunks")}
        </label>
      </div>
      {sections(view).map((section) => (
        <SectionText
          key={section.start}
          view={view}
          section={section}
          drawn={drawn}
          marked={marked}
        />
      ))}
    </>
  );
}

function markedSpan(route: Route): readonly [number, number] | undefined {
  const [start, end] = (route.query.get("span") ?? "").split("-").map(Number);
  return start !== undefined && end !== undefined && end > start ? [start, end] : undefined;
}

interface SectionProps {
  readonly view: DocumentView;
  readonly section: Section;
  readonly drawn: boolean;
  readonly marked: readonly [number, number] | undefined;
}

function SectionText({ view, section, drawn, marked }: SectionProps) {
  const { say } = useSpeech();
  const stretches = cut(section.start, section.end, view.passages, marked);
  const name = placeName(section.place, say);
  return (
    <section class="card page" aria-label={name || say("wholeDocument")}>
      {name && <h3>{name}</h3>}
      <pre class={drawn ? "drawn" : ""}>
        {stretches.map((stretch) => (
          <Piece
            key={stretch.start}
            stretch={stretch}
            text={view.text.slice(stretch.start, stretch.end)}
          />
        ))}
      </pre>
    </section>
  );
}

function Piece({ stretch, text }: { stretch: Stretch; text: string }) {
  useEffect(() => {
    if (stretch.firstMarked) document.getElementById("marked")?.scrollIntoView({ block: "center" });
  }, [stretch.firstMarked]);
  const shade = stretch.passage === undefined ? "" : `passage shade-${stretch.passage % 2}`;
  if (!stretch.marked) return <span class={shade}>{text}</span>;
  return (
    <mark class={shade} id={stretch.firstMarked ? "marked" : undefined}>
      {text}
    </mark>
  );
}

async function download(id: string, filename: string): Promise<void> {
  const response = await fetch(`/api/documents/${encodeURIComponent(id)}/original`, {
    headers: authHeaders(),
  });
  if (!response.ok) return;
  const url = URL.createObjectURL(await response.blob());
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = filename;
  anchor.click();
  URL.revokeObjectURL(url);
}
