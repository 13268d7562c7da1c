// The list of documents, one page of it at a time: sorted, filtered, refreshed. Or one document.
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { DocumentRow } from "../../../tools/documents/contract.ts";
import { useAttempt } from "../parts/dialog.tsx";
import { Button, Collapsible, Empty, Problem } from "../parts/parts.tsx";
import { t } from "../state/language.ts";
import { call } from "../state/mcp.ts";
import { useOffered } from "../state/offered-tools.ts";
import type { Route } from "../state/route.ts";
import { useLive } from "../state/use-live.tsx";
import { DropZone } from "../uploads/drop-zone.tsx";
import { type UploadQueue, useOnAdded } from "../uploads/upload-queue.ts";
import { DocumentTable, type Selection, useSelection, type Wanted } from "./document-table.tsx";
import { type RemovalQueue, useGone } from "./removals.tsx";

const PAGE_SIZE = 25;
const EVERY_MS = 3_000;
const NEWEST: Wanted = { by: "date_added", order: "desc", match: "", offset: 0 };

interface DocumentsProps {
  readonly uploads: UploadQueue;
  readonly removals: RemovalQueue;
}

export function Documents({ uploads, removals }: DocumentsProps) {
  const [wanted, setWanted] = useState(NEWEST);
  const { data, failed, refresh } = useLive((signal) => load(wanted, signal), EVERY_MS, [wanted]);
  const change = (next: Partial<Wanted>) => setWanted({ ...wanted, ...next });
  const selection = useSelection();
  const gone = useGone(removals);
  useOnAdded(uploads, refresh);
  const leave = (rows: readonly DocumentRow[]) => {
    selection.clear();
    removals.remove(rows);
  };
  const rows = (data?.documents ?? []).filter(({ id }) => !gone.has(id));
  const isEmpty = data?.total_count === 0 && !wanted.match;
  return (
    <>
      <h1>{t("Documents")}</h1>
      <DropZone queue={uploads}>
        <AddAddress />
      </DropZone>
      {!isEmpty && (
        <div class="row between">
          <input
            type="search"
            aria-label={t("Filter by name")}
            placeholder={t("Filter by name")}
            value={wanted.match}
            onInput={(event) => change({ match: event.currentTarget.value, offset: 0 })}
          />
          <SelectionBar selection={selection} onRemove={() => leave(selection.chosen)} />
        </div>
      )}
      {failed}
      {rows.length > 0 && <DocumentTable {...{ rows, wanted, change, selection, leave }} />}
      {data && rows.length === 0 && <NothingHere match={wanted.match} change={change} />}
      <Pager total={data?.total_count ?? 0} offset={wanted.offset} change={change} />
    </>
  );
}

function SelectionBar({ selection, onRemove }: { selection: Selection; onRemove: () => void }) {
  if (selection.chosen.length === 0) return null;
  return (
    <section class="row" aria-label={t("Selection")}>
      <span class="muted">{t("{0} selected", selection.chosen.length)}</span>
      <Button class="quiet" text={t("Cancel")} onClick={selection.clear} />
      <Button class="danger" icon="trash" text={t("Remove")} onClick={onRemove} />
    </section>
  );
}

function load({ by, order, match, offset }: Wanted, signal: AbortSignal) {
  const page = { limit: PAGE_SIZE, offset, sort_by: by, sort_order: order };
  return call("knowledge-show", { ...page, ...(match ? { match } : {}) }, signal);
}

type Change = (next: Partial<Wanted>) => void;

function NothingHere({ match, change }: { match: string; change: Change }) {
  // The drop zone above says what to do.
  if (!match) return <p class="muted">{t("No documents yet")}</p>;
  return (
    <Empty icon="filter" title={t("No documents match")}>
      <Button text={t("Clear the filter")} onClick={() => change({ match: "" })} />
    </Empty>
  );
}

function Pager({ total, offset, change }: { total: number; offset: number; change: Change }) {
  if (total <= PAGE_SIZE) return null;
  const last = Math.floor((total - 1) / PAGE_SIZE) * PAGE_SIZE;
  const steps = [
    ["First", 0],
    ["Previous", Math.max(0, offset - PAGE_SIZE)],
    ["Next", Math.min(last, offset + PAGE_SIZE)],
    ["Last", last],
  ] as const;
  return (
    <nav class="row end" aria-label={t("Pages of the list")}>
      <span class="muted">
        {t("{0}–{1} of {2}", offset + 1, Math.min(offset + PAGE_SIZE, total), total)}
      </span>
      {steps.map(([word, to]) => (
        <Button
          key={word}
          class="quiet"
          text={t(word)}
          disabled={to === offset}
          onClick={() => change({ offset: to })}
        />
      ))}
    </nav>
  );
}

interface DocumentProps {
  readonly id: string;
  readonly route: Route;
}

/** The viewer is loaded when the first document is opened. */
export function DocumentPage(props: DocumentProps) {
  const [Viewer, setViewer] = useState<ComponentType<DocumentProps>>();
  useEffect(() => {
    void import("../document/viewer.tsx").then((loaded) => setViewer(() => loaded.Viewer));
  }, []);
  // The key resets the viewer, so that one document's data is never shown as part of the next.
  return Viewer ? <Viewer key={props.id} {...props} /> : <p aria-busy="true">{t("Loading…")}</p>;
}

const TOOL = "knowledge-add-url";

function AddAddress() {
  const isOn = useOffered()?.some(({ name }) => name === TOOL);
  const off = (
    <p class="muted small">
      {t("This server does not fetch web pages. To allow it, start it with")}{" "}
      <code>--allow-urls</code>
    </p>
  );
  return (
    <Collapsible class="fold" summary={t("Add a web page by its address")}>
      {() => (isOn ? <AddressForm /> : off)}
    </Collapsible>
  );
}

function AddressForm() {
  const [isQueued, setQueued] = useState(false);
  const { problem, isBusy, attempt } = useAttempt();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const url = String(new FormData(form).get("url")).trim();
    setQueued(false);
    return attempt(async () => {
      // The tray, which is on every page, shows the progress.
      await call(TOOL, { url, async: true, refresh: true });
      setQueued(true);
      form.reset();
    });
  };
  return (
    <form class="row address" onSubmit={submit}>
      <input
        type="url"
        name="url"
        required
        readOnly={isBusy}
        aria-label={t("Address")}
        placeholder="https://"
        maxLength={2_048}
      />
      <button type="submit" disabled={isBusy}>
        {t("Add")}
      </button>
      <p role="status" class="small">
        {isQueued && t("It is being fetched and read.")}
      </p>
      <Problem text={problem} />
    </form>
  );
}
