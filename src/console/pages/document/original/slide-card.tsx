// The text of a slide that cannot be drawn.
import { useCallback } from "preact/hooks";
import type { DocumentView, OriginalView } from "../../../../tools/documents/contract.ts";
import { Markdown } from "../../parts/markdown.tsx";
import { useI18n } from "../../state/language.ts";
import type { Section } from "../text/sections.ts";

interface Shown {
  readonly original: Extract<OriginalView, { readonly kind: "pages" }>;
  readonly view: DocumentView;
  readonly sections: readonly Section[];
  readonly query: string;
}

/** Undefined for pages, because their text is beside them. */
export function useCard({ original, view, sections, query }: Shown) {
  return useCallback(
    (slide: number) =>
      original.unit === "slide" ? <SlideCard {...{ view, sections, query, slide }} /> : undefined,
    [original, view, sections, query],
  );
}

type SlideCardProps = Omit<Shown, "original"> & { readonly slide: number };

function SlideCard({ view, sections, query, slide }: SlideCardProps) {
  const { t } = useI18n();
  const own = sections.filter(({ place }) => place.slide === slide);
  return (
    <div class="page-card">
      <p class="muted small">{t("slideFailed")}</p>
      {own.map(({ start, end }) => (
        <Markdown key={start} text={view.text.slice(start, end)} query={query} />
      ))}
    </div>
  );
}
