// Text that people do not see, gathered while a file is read: kept and reported, but not part of the document's text.
import type { HiddenText, Place } from "../../domain/document.ts";
import { type Message, type MessageCode, toMessage } from "../../domain/phrases/messages.ts";
import { tidy } from "../../text/clean/clean.ts";
import { isWide } from "../../text/scripts.ts";

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

// Characters that no font draws: they carry text past people, or split words so that filters do not know them.

const MAYBE = /[\u200b-\u200d\u202e\u2060-\u2064\ufeff]|[\ufe00-\ufe0f]{2}|\udb40/;
/** Flags of England, Scotland and Wales are a black flag and their name in tags. */
const FLAG = /\u{1f3f4}[\u{e0020}-\u{e007e}]{1,8}\u{e007f}/gu;
const TAGS = /[\u{e0020}-\u{e007e}]+/gu;
// One follows a letter or emoji to choose its form; a run of them is text, a byte in each.
const SELECTORS = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{8,}/gu;
const REVERSED = /\u202e[^\u202c\n]{3,2000}/g;
// Other scripts use them to join letters and to end lines. One may be where a long word can be broken.
const WORD = "[\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}]+";
const ZERO = "[\\u200b-\\u200d\\u2060-\\u2064\\ufeff]+";
const SPLIT = new RegExp(`${WORD}${ZERO}${WORD}${ZERO}${WORD}`, "gu");
const LONG_RUN = new RegExp(`${ZERO.slice(0, -1)}{8,}`, "gu");

function hasInvisible(raw: string): boolean {
  return MAYBE.test(raw);
}

/** The text that is written in tag characters or variation selectors. */
function smuggledText(raw: string): string {
  const tags = raw.replace(FLAG, "").match(TAGS) ?? [];
  const inTags = tags.map((run) => fromCodes([...run].map((tag) => codeOf(tag) - 0xe0000)));
  const inSelectors = (raw.match(SELECTORS) ?? []).map((run) =>
    fromCodes([...run].map(selectorByte)),
  );
  return [...inTags, ...inSelectors].join(" ");
}

/** Words that are split by characters without width, or shown reversed. */
function disguisedWords(raw: string): number {
  const count = (pattern: RegExp) => raw.match(pattern)?.length ?? 0;
  return count(SPLIT) + count(LONG_RUN) + count(REVERSED);
}

const codeOf = (character: string) => character.codePointAt(0) ?? 0;

function selectorByte(selector: string): number {
  const code = codeOf(selector);
  return code < 0xe0100 ? code - 0xfe00 : code - 0xe0100 + 16;
}

function fromCodes(codes: readonly number[]): string {
  return Buffer.from(codes).toString("utf8");
}
