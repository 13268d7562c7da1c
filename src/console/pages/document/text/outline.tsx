// Links to the sheets or slides of a document that has several.
import { placeName } from "../../search/place.ts";
import { useSpeech } from "../../state/language.ts";
import type { Section } from "./sections.ts";

export function Outline({ sections }: { readonly sections: readonly Section[] }) {
  const { say } = useSpeech();
  const named = sections.filter(({ place }) => placeName(place, say) !== "");
  if (named.length < 2) return null;
  return (
    <nav class="outline" aria-label={say("outline")}>
      {named.map(({ start, place }) => (
        <button
          key={start}
          type="button"
          class="quiet"
          onClick={() => document.getElementById(`section-${start}`)?.scrollIntoView()}
        >
          {placeName(place, say)}
        </button>
      ))}
    </nav>
  );
}
