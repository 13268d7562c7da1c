// One document: its original beside its text, with the cited place marked in both.
import { useMemo, useState } from "preact/hooks";
import type { DocumentView } from "../../../tools/documents/contract.ts";
import { READ_BY } from "../documents/read-by.ts";
import { Icon } from "../parts/icon.tsx";
import { SourceToggle } from "../parts/source-toggle.tsx";
import { formatBytes, formatDate, useSpeech } from "../state/language.ts";
import { useLive } from "../state/live.ts";
import { readJson } from "../state/mcp.ts";
import { type Route, toHash } from "../state/route.ts";
import { citedOf } from "./cited.ts";
import { download } from "./download.ts";
import { TextPane } from "./text-pane.tsx";
import "./viewer.css";

export function Viewer({ id, route }: { readonly id: string; readonly route: Route }) {
  const { say } = useSpeech();
  const { data: view, error } = useLive(
    (signal) => readJson<DocumentView>(`knowledge://documents/${id}/passages`, signal),
    0,
    [id],
  );
  if (error) return <p class="problem">{say("failed", error)}</p>;
  if (!view) return <p aria-busy="true">{say("loading")}</p>;
  return <Loaded view={view} route={route} />;
}

function Loaded({ view, route }: { readonly view: DocumentView; readonly route: Route }) {
  const { say } = useSpeech();
  const [drawn, setDrawn] = useState(false);
  const cited = useMemo(() => citedOf(route, view), [route, view]);
  return (
    <>
      <Head document={view.document} />
      <div class="row between">
        <h2>{say("asAgentReads")}</h2>
        <span class="row">
          <label class="inline">
            <input
              type="checkbox"
              checked={drawn}
              onChange={(event) => setDrawn(event.currentTarget.checked)}
            />
            {say("showChunks")}
          </label>
          <SourceToggle />
        </span>
      </div>
      <TextPane view={view} cited={cited} query={route.query.get("q") ?? ""} drawn={drawn} />
    </>
  );
}

function Head({ document }: { readonly document: DocumentView["document"] }) {
  const { say, language } = useSpeech();
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
    </>
  );
}
