import { useState } from "preact/hooks";
import type { DocumentRow } from "../../../tools/documents/contract.ts";
import { Confirm } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { When } from "../parts/when.tsx";
import { formatBytes, useSpeech } from "../state/language.ts";
import { useLive } from "../state/live.ts";
import { call } from "../state/mcp.ts";
import { toHash } from "../state/route.ts";
import type { Word } from "../state/translations.ts";
import { READ_BY } from "./read-by.ts";
import { UploadPanel } from "./upload-panel.tsx";

const PAGE_SIZE = 25;

type SortField = "date_added" | "filename" | "size";
interface Order {
  readonly by: SortField;
  readonly order: "asc" | "desc";
}

const COLUMNS: readonly {
  readonly word: Word;
  readonly sort?: SortField;
  readonly numeric?: boolean;
}[] = [
  { word: "name", sort: "filename" },
  { word: "format" },
  { word: "size", sort: "size", numeric: true },
  { word: "chunks", numeric: true },
  { word: "readBy" },
  { word: "added", sort: "date_added" },
];

export function Documents() {
  const { say } = useSpeech();
  const [order, setOrder] = useState<Order>({ by: "date_added", order: "desc" });
  const [match, setMatch] = useState("");
  const [offset, setOffset] = useState(0);
  const [leaving, setLeaving] = useState<DocumentRow>();
  const [notice, setNotice] = useState("");
  const { data, error, refresh } = useLive(
    (signal) =>
      call(
        "knowledge-show",
        {
          limit: PAGE_SIZE,
          offset,
          sort_by: order.by,
          sort_order: order.order,
          ...(match ? { match } : {}),
        },
        signal,
      ),
    3_000,
    [order, match, offset],
  );

  const remove = async (document: DocumentRow) => {
    setLeaving(undefined);
    try {
      await call("knowledge-remove", { document_id: document.id, confirm: true });
      setNotice(say("removed", document.filename));
    } catch (thrown) {
      setNotice(say("failed", thrown instanceof Error ? thrown.message : String(thrown)));
    }
    refresh();
  };

  return (
    <>
      <h1>{say("documents")}</h1>
      <UploadPanel onDone={refresh} />
      <div class="row between">
        <label class="inline">
          <span class="hidden">{say("filterDocuments")}</span>
          <input
            type="search"
            placeholder={say("filterDocuments")}
            value={match}
            onInput={(event) => {
              setMatch(event.currentTarget.value);
              setOffset(0);
            }}
          />
        </label>
        <p class="muted" role="status">
          {notice}
        </p>
      </div>
      {error && <p class="problem">{say("failed", error)}</p>}
      <DocumentTable
        rows={data?.documents ?? []}
        order={order}
        onOrder={(by) =>
          setOrder({ by, order: order.by === by && order.order === "asc" ? "desc" : "asc" })
        }
        onRemove={setLeaving}
      />
      {data && data.documents.length === 0 && (
        <p class="muted">{say(match ? "noneMatch" : "noDocuments")}</p>
      )}
      <Pager total={data?.total_count ?? 0} offset={offset} onOffset={setOffset} />
      {leaving && (
        <Confirm
          title={say("removeTitle")}
          text={say("removeText", leaving.filename, leaving.chunk_count)}
          action={say("remove")}
          cancel={say("cancel")}
          onConfirm={() => remove(leaving)}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </>
  );
}

interface TableProps {
  readonly rows: readonly DocumentRow[];
  readonly order: Order;
  readonly onOrder: (by: SortField) => void;
  readonly onRemove: (row: DocumentRow) => void;
}

const DIRECTIONS = { asc: "ascending", desc: "descending" } as const;

function DocumentTable({ rows, order, onOrder, onRemove }: TableProps) {
  const { say, language } = useSpeech();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by keyboard
    <section class="scroll" aria-label={say("documents")} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {COLUMNS.map(({ word, sort, numeric }) => (
              <th
                key={word}
                scope="col"
                class={numeric ? "number" : undefined}
                aria-sort={sort === order.by ? DIRECTIONS[order.order] : undefined}
              >
                {sort ? (
                  <button type="button" class="sort" onClick={() => onOrder(sort)}>
                    {say(word)}
                  </button>
                ) : (
                  say(word)
                )}
              </th>
            ))}
            <th scope="col">
              <span class="hidden">{say("remove")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row">
                <a href={toHash("documents", row.id)}>{row.filename}</a>
              </th>
              <td>
                <span class="badge">{row.format}</span>
              </td>
              <td class="number">{formatBytes(row.size_bytes, language)}</td>
              <td class="number">{row.chunk_count}</td>
              <td>{say(READ_BY[row.processing_method])}</td>
              <td>
                <When iso={row.date_added} />
              </td>
              <td>
                <button
                  type="button"
                  class="quiet"
                  aria-label={`${say("remove")} ${row.filename}`}
                  onClick={() => onRemove(row)}
                >
                  <Icon name="trash" />
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Pager(props: { total: number; offset: number; onOffset: (offset: number) => void }) {
  const { say } = useSpeech();
  const { total, offset, onOffset } = props;
  if (total <= PAGE_SIZE) return null;
  return (
    <div class="row end">
      <span class="muted">
        {say("pageOf", offset + 1, Math.min(offset + PAGE_SIZE, total), total)}
      </span>
      <button
        type="button"
        class="quiet"
        disabled={offset === 0}
        onClick={() => onOffset(offset - PAGE_SIZE)}
      >
        {say("previous")}
      </button>
      <button
        type="button"
        class="quiet"
        disabled={offset + PAGE_SIZE >= total}
        onClick={() => onOffset(offset + PAGE_SIZE)}
      >
        {say("next")}
      </button>
    </div>
  );
}
