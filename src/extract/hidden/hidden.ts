// Text that people do not see, gathered while a file is read: kept and reported, but not part of the document's text.
import type { HiddenText, Place } from "../../domain/document.ts";
import { type Message, type MessageCode, toMessage } from "../../domain/phrases/messages.ts";
import { tidy } from "../../text/clean/clean.ts";
import { isWide } from "../../text/scripts.ts";
import { disguisedWords, hasInvisible, smuggledText } from "./characters.ts";

// Less is an icon's name or a stray number, and instructs nobody.
const MIN_LETTERS = 12;
// The places that a warning lists.
const MAX_PLACES = 20;

export interface Hidden {
  add(found: HiddenText): void;
  inspect(raw: string, place: Place): void;
  characters(): number;
  /** One per place and kind. */
  found(): readonly HiddenText[];
  warnings(): readonly Message[];
}

export function openHidden(): Hidden {
  const byPlace = new Map<string, { readonly first: HiddenText; readonly texts: Set<string> }>();
  const state = { characters: 0, disguised: 0 };
  const add = ({ place, kind, text }: HiddenText) => {
    const body = tidy(text);
    if (!/[\p{L}\p{N}]/u.test(body)) return;
    const key = JSON.stringify([kind, place]);
    const held = byPlace.get(key) ?? { first: { place, kind, text: "" }, texts: new Set() };
    byPlace.set(key, held);
    if (held.texts.has(body)) return;
    held.texts.add(body);
    state.characters += body.length;
  };
  return {
    add,
    inspect(raw, place) {
      if (!hasInvisible(raw)) return;
      const text = smuggledText(raw);
      if (isEnough(text)) add({ place, kind: "characters", text });
      state.disguised += disguisedWords(raw);
    },
    characters: () => state.characters,
    found: () =>
      [...byPlace.values()].map(({ first, texts }) => ({ ...first, text: [...texts].join("\n") })),
    warnings() {
      const places = [...byPlace.values()].map(({ first }) => first.place);
      const disguised = state.disguised === 0 ? [] : [toMessage("disguisedWords", state.disguised)];
      return [...hiddenWarnings(places), ...disguised];
    },
  };
}

/**
 * Where hidden text is common and mostly harmless, as in web pages, only what could say something counts. An ideograph
 * says as much as two letters.
 */
export function isEnough(text: string): boolean {
  let sum = 0;
  for (const { 0: letter } of text.matchAll(/[\p{L}\p{N}]/gu)) {
    sum += isWide(letter.charCodeAt(0)) ? 2 : 1;
    if (sum >= MIN_LETTERS) return true;
  }
  return false;
}

const UNITS: readonly (readonly [keyof Place, MessageCode])[] = [
  ["page", "hiddenOnPages"],
  ["slide", "hiddenOnSlides"],
  ["sheet", "hiddenInSheets"],
];

function hiddenWarnings(places: readonly Place[]): readonly Message[] {
  const named = UNITS.flatMap(([unit, code]) => {
    const here = places.flatMap(({ [unit]: name }) => (name === undefined ? [] : [name]));
    const names = [...new Set(here)];
    const more = names.length > MAX_PLACES ? ", …" : "";
    const list = names.slice(0, MAX_PLACES).join(", ") + more;
    return here.length === 0 ? [] : [toMessage(code, here.length, list)];
  });
  const bare = places.filter((place) => UNITS.every(([unit]) => place[unit] === undefined)).length;
  return bare === 0 ? named : [...named, toMessage("hiddenInDocument", bare)];
}
