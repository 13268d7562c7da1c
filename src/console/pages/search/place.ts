import type { Place } from "../../../tools/documents/contract.ts";
import type { Say } from "../state/language.ts";

export function placeKey(place: Place): string {
  return `${place.page ?? ""}/${place.slide ?? ""}/${place.sheet ?? ""}`;
}

export function placeName(place: Place, say: Say): string {
  if (place.page !== undefined) return say("page", place.page);
  if (place.slide !== undefined) return say("slide", place.slide);
  if (place.sheet !== undefined) return say("sheet", place.sheet);
  return "";
}
