// A document's name, facts and actions.
import { useState } from "preact/hooks";
import type { DocumentView, OriginalView } from "../../../tools/documents/contract.ts";
import { READ_BY } from "../documents/read-by.ts";
import { Confirm } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { RelativeDate } from "../parts/relative-date.tsx";
import { formatBytes, useSpeech } from "../state/language.ts";
import { call } from "../state/mcp.ts";
import { isOffered, useOffered } from "../state/offered-tools.ts";
import { toHash } from "../state/route.ts";
import { download } from "./download.ts";

interface HeadProps {
  readonly document: DocumentView["document"];
  readonly original: OriginalView;
}

const SLIDES: ReadonlySet<string> = new Set(["pptx", "odp"]);

export function Head({ document, original }: HeadProps) {
  const { say, language } = useSpeech();
  return (
    <header class="viewer-head">
      <a class="viewer-back" href={toHash("documents")}>
        ← {say("backToDocuments")}
      </a>
      <div class="row between">
        <h1>{document.filename}</h1>
        <Actions document={document} hasOriginal={original.kind !== "missing"} />
      </div>
      <p class="muted small">
        <span class="badge">{document.format}</span> {formatBytes(document.size_bytes, language)} ·{" "}
        {say("passageCount", document.chunk_count)} · {say(READ_BY[document.processing_method])} ·{" "}
        <RelativeDate iso={document.date_added} />
      </p>
      {original.kind === "missing" && <p class="viewer-note">{say("originalMissing")}</p>}
      {original.kind === "text-only" && SLIDES.has(document.format) && (
        <p class="viewer-note">{say("slidesAsText")}</p>
      )}
      {document.warnings.length > 0 && <Warnings warnings={document.warnings} />}
    </header>
  );
}

function Warnings({ warnings }: { readonly warnings: readonly string[] }) {
  const { say, sayWarning } = useSpeech();
  return (
    <details class="viewer-warnings">
      <summary>
        <Icon name="warning" /> {say("warnings")} ({warnings.length})
      </summary>
      <ul>
        {warnings.map((warning) => (
          <li key={warning}>{sayWarning(warning)}</li>
        ))}
      </ul>
    </details>
  );
}

interface ActionsProps {
  readonly document: DocumentView["document"];
  readonly hasOriginal: boolean;
}

function Actions({ document, hasOriginal }: ActionsProps) {
  const { say, explain } = useSpeech();
  const [asks, setAsks] = useState(false);
  const [problem, setProblem] = useState("");
  const remove = async () => {
    setAsks(false);
    try {
      await call("knowledge-remove", { document_id: document.id, confirm: true });
      location.hash = toHash("documents");
    } catch (thrown) {
      setProblem(say("failed", explain(thrown)));
    }
  };
  return (
    <span class="row">
      {problem && <span class="problem">{problem}</span>}
      {hasOriginal && (
        <button type="button" onClick={() => void download(document.id, document.filename)}>
          <Icon name="down" /> {say("original")}
        </button>
      )}
      <RemoveButton onClick={() => setAsks(true)} />
      {asks && (
        <Confirm
          title={say("removeTitle")}
          text={say("removeText", document.filename, document.chunk_count)}
          action={say("remove")}
          cancel={say("cancel")}
          onConfirm={() => void remove()}
          onClose={() => setAsks(false)}
        />
      )}
    </span>
  );
}

function RemoveButton({ onClick }: { readonly onClick: () => void }) {
  const { say } = useSpeech();
  if (!isOffered(useOffered(), "knowledge-remove")) return null;
  return (
    <button type="button" class="quiet" onClick={onClick}>
      <Icon name="trash" /> {say("remove")}
    </button>
  );
}
