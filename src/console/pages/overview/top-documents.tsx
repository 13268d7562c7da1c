import type { ComponentChildren } from "preact";
import type { DocumentRow } from "../../../tools/documents/contract.ts";
import { RelativeDate } from "../parts/relative-date.tsx";
import { formatBytes, useI18n } from "../state/language.ts";
import { call } from "../state/mcp.ts";
import { toHash } from "../state/route.ts";
import { useLive } from "../state/use-live.ts";

const SHOWN = 5;

/** Shows the newest and the largest side by side; reloads when the knowledge base changes. */
export function TopDocuments({ changed }: { changed: string }) {
  const { t, language } = useI18n();
  const { data } = useLive(
    async (signal) => {
      const list = (sort_by: "date_added" | "size") =>
        call("knowledge-show", { limit: SHOWN, sort_by }, signal);
      const [newest, largest] = await Promise.all([list("date_added"), list("size")]);
      return { newest: newest.documents, largest: largest.documents };
    },
    0,
    [changed],
  );
  if (!data || data.newest.length === 0) return null;
  const size = ({ size_bytes }: DocumentRow) => formatBytes(size_bytes, language);
  return (
    <div class="pair">
      <List
        title={t("newest")}
        rows={data.newest}
        toFact={(row) => <RelativeDate iso={row.date_added} />}
      />
      <List title={t("largest")} rows={data.largest} toFact={size} />
    </div>
  );
}

interface ListProps {
  readonly title: string;
  readonly rows: readonly DocumentRow[];
  readonly toFact: (row: DocumentRow) => ComponentChildren;
}

function List({ title, rows, toFact }: ListProps) {
  return (
    <section class="card" aria-label={title}>
      <h2>{title}</h2>
      <ul class="tasks">
        {rows.map((row) => (
          <li key={row.id}>
            <a class="grow" href={toHash("documents", row.id)}>
              {row.filename}
            </a>
            <span class="muted small">{toFact(row)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
