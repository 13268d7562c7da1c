// Links to the sheets or slides of a document that has several.
import { placeName } from "../../search/place.ts";
import { useI18n } from "../../state/language.ts";
import type { Section } from "./sections.ts";

export function Outline({ sections }: { readonly sections: readonly Section[] }) {
  const { t } = useI18n();
  const named = sections.filter(({ place }) => placeName(place, t) !== "");
  if (named.length < 2) return null;
  return (
    <nav class="outline" aria-label={t("outline")}>
      {named.map(({ start, place }) => (
        <button
          key={start}
          type="button"
          class="quiet"
          onClick={() => document.getElementById(`section-${start}`)?.scrollIntoView()}
        >
          {placeName(place, t)}
        </button>
      ))}
    </nav>
  );
}
