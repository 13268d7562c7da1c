// A document's name, facts and actions.
import { useState } from "preact/hooks";
import type { DocumentView, HiddenKind, OriginalView } from "../../../tools/documents/contract.ts";
import { ConfirmRemoval } from "../parts/dialog.tsx";
import { Button, Icon, RelativeDate } from "../parts/parts.tsx";
import { placeName } from "../search/place.ts";
import { formatBytes, sayMessage, sayWord, t } from "../state/language.ts";
import { authHeaders, call } from "../state/mcp.ts";
import { useOffers } from "../state/offered-tools.ts";
import { navigate, toPath } from "../state/route.ts";
import type { Text } from "../state/texts.ts";
import { useLive } from "../state/use-live.tsx";

interface HeadProps {
  readonly document: DocumentView["document"];
  readonly original: OriginalView;
}

const SLIDES: ReadonlySet<string> = new Set(["pptx", "odp"]);

export function Head({ document, original }: HeadProps) {
  return (
    <header class="viewer-head">
      <a class="viewer-back" href={toPath("documents")}>
        ← {t("All documents")}
      </a>
      <div class="row between">
        <h1>{document.filename}</h1>
        <Actions document={document} original={original} />
      </div>
      <p class="muted small">
        <span class="badge">{document.format}</span> {formatBytes(document.size_bytes)} ·{" "}
        {t("{0|passage|passages}", document.chunk_count)} · {sayWord(document.processing_method)} ·{" "}
        <RelativeDate iso={document.date_added} />
      </p>
      {original.kind === "missing" && (
        <p class="viewer-note">
          {t(
            "The original file is no longer on the server; this is the text that was read from it.",
          )}
        </p>
      )}
      {original.kind === "text-only" && SLIDES.has(document.format) && (
        <p class="viewer-note">
          {t(
            "Slides are shown as their text. Download the original to see them as they were designed.",
          )}
        </p>
      )}
      {document.warnings.length > 0 && <Warnings warnings={document.warning_codes} />}
      {document.warning_codes.some(isHidden) && <HiddenTexts id={document.id} />}
    </header>
  );
}

function isHidden({ code }: DocumentView["document"]["warning_codes"][number]): boolean {
  return code.startsWith("hidden");
}

function Warnings({ warnings }: { readonly warnings: DocumentView["document"]["warning_codes"] }) {
  return (
    <details class="viewer-warnings">
      <summary>
        <Icon name="warning" /> {t("Notes from reading")} ({warnings.length})
      </summary>
      <ul>
        {warnings.map((warning) => (
          <li key={sayMessage(warning)}>{sayMessage(warning)}</li>
        ))}
      </ul>
    </details>
  );
}

function Actions({ document, original }: HeadProps) {
  const [asks, setAsks] = useState(false);
  const remove = async () => {
    await call("knowledge-remove", { document_id: document.id, confirm: true });
    navigate(toPath("documents"));
  };
  return (
    <span class="row">
      <AskDocument id={document.id} />
      {original.kind !== "missing" && (
        <Button
          class="quiet"
          icon="down"
          text={t("Download original")}
          onClick={() => void download(document.id, document.filename)}
        />
      )}
      {useOffers("knowledge-remove") && (
        <Button class="quiet" icon="trash" text={t("Remove")} onClick={() => setAsks(true)} />
      )}
      {asks && (
        <ConfirmRemoval
          title={t("Remove this document?")}
          text={t(
            "“{0}” and its {1|passage|passages} will no longer be found.",
            document.filename,
            document.chunk_count,
          )}
          onConfirm={remove}
          onClose={() => setAsks(false)}
        />
      )}
    </span>
  );
}

function AskDocument({ id }: { readonly id: string }) {
  if (!useOffers("kb_answer")) return null;
  return (
    <a class="button outline" href={toPath("search", "", { document: id })}>
      <Icon name="spark" /> {t("Ask this document")}
    </a>
  );
}

/** Uses fetch because a plain link would not send the token. */
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

const KINDS: Readonly<Record<HiddenKind, Text>> = {
  hidden: "hidden",
  "same-colour": "in the colour of its background",
  "too-small": "too small to read",
  transparent: "transparent",
  covered: "covered",
  "off-page": "outside the page",
  characters: "in invisible characters",
  comment: "in a comment",
  metadata: "in the file's properties",
};

const MAX_CHARS = 50_000;

/** Asked for by name: what agents read of a document never has it. */
function HiddenTexts({ id }: { readonly id: string }) {
  const { data } = useLive(
    (signal) =>
      call(
        "knowledge-read",
        { document_id: id, include_hidden: true, max_chars: MAX_CHARS },
        signal,
      ),
    0,
    [id],
  );
  const hidden = data && "hidden" in data ? (data.hidden ?? []) : [];
  if (hidden.length === 0) return null;
  return (
    <details class="viewer-warnings">
      <summary>
        <Icon name="warning" /> {t("Text that people cannot see ({0})", hidden.length)}
      </summary>
      <p>{t("It is left out of search and answers: it may be there to instruct programs.")}</p>
      <ul>
        {hidden.map(({ kind, text, page_num: page, slide_num: slide, sheet }) => (
          <li key={JSON.stringify([kind, page, slide, sheet])}>
            {placeName({ page, slide, sheet }, t) || t("Whole document")} · {t(KINDS[kind])}
            <blockquote class="viewer-hidden">{text}</blockquote>
          </li>
        ))}
      </ul>
    </details>
  );
}
