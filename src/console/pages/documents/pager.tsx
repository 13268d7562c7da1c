import { useI18n } from "../state/language.ts";
import { PAGE_SIZE } from "./use-documents.ts";

interface PagerProps {
  readonly total: number;
  readonly offset: number;
  readonly onOffset: (offset: number) => void;
}

export function Pager({ total, offset, onOffset }: PagerProps) {
  const { t } = useI18n();
  if (total <= PAGE_SIZE) return null;
  const last = Math.floor((total - 1) / PAGE_SIZE) * PAGE_SIZE;
  const ways = [
    { word: "first", to: 0, ends: offset === 0 },
    { word: "previous", to: offset - PAGE_SIZE, ends: offset === 0 },
    { word: "next", to: offset + PAGE_SIZE, ends: offset >= last },
    { word: "last", to: last, ends: offset >= last },
  ] as const;
  return (
    <nav class="row end" aria-label={t("pagesOfList")}>
      <span class="muted">
        {t("pageOf", offset + 1, Math.min(offset + PAGE_SIZE, total), total)}
      </span>
      {ways.map(({ word, to, ends }) => (
        <button
          key={word}
          type="button"
          class="quiet"
          disabled={ends}
          onClick={() => onOffset(Math.max(0, to))}
        >
          {t(word)}
        </button>
      ))}
    </nav>
  );
}
