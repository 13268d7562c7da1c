// The words of a question that name what it asks for: "blood type" in "What is Ann's blood type?", "founded" in "Who
// founded it?". A sentence on the same subject that does not name it is not an answer.
import { isJapanese } from "../../text/scripts.ts";
import { type Word, words } from "../../text/words.ts";

const WH = /^(?:what|which|who|whom|whose|when|where|why|how)$/iu;
const BE = /^(?:is|are|was|were|be)$/iu;
/** "The odometer of the Jeep": the subject follows. */
const LINK = /^(?:of|for|in|at|on)$/iu;
/** Answers do not repeat these words: "which year" is answered by a year, "what happens" by an event. */
const UNSAID =
  /^(?:happen(?:s|ed)?|means?|called|years?|decade|century|date|day|month|time|number|percent(?:age)?|amount|happens|according|よう|場合|とき|こと|もの)$/iu;

export interface Asked {
  /** Empty if the question asks for no particular thing, such as a definition or a procedure. */
  readonly words: readonly Word[];
  /**
   * The noun of an attribute of the subject ("the salary of", "how many users"), which almost every
   * answer contains.
   */
  readonly attribute?: Word;
}

/** Whether the question asks for an attribute ("the area of", "how many doors") that is not among the words explained. */
export function lacksAttribute({ attribute }: Asked, explained: Iterable<Word>): boolean {
  if (!attribute) return false;
  return [...explained].every(({ start }) => start !== attribute.start);
}

export function askedWords(text: string): Asked {
  return isJapanese(text) ? askedInJapanese(text) : askedInEnglish(withoutLead(words(text)));
}

function loose(found: readonly Word[]): Asked {
  return { words: found };
}

/** In English and Japanese the last word of a name says what kind of thing it is. */
function attribute(name: readonly Word[], more: readonly Word[] = []): Asked {
  const noun = name.at(-1);
  return { words: [...name, ...more], ...(noun && { attribute: noun }) };
}

function askedInEnglish(all: readonly Word[]): Asked {
  const at = all.findIndex((word) => WH.test(word.text));
  const [wh, next] = [all[at]?.text.toLowerCase(), all[at + 1]];
  if (wh === undefined || !next) return loose([]);
  if (wh === "how") return askedByHow(all, at + 1);
  if (/^(?:what|which|whose)$/.test(wh) && next.content) return askedOfClass(all, at);
  const isOf = wh !== "which" && BE.test(next.text);
  return isOf
    ? askedOf(all.slice(at + 2))
    : loose(common([...all.slice(0, at), ...all.slice(at + 1)]));
}

/**
 * "What colour is it" asks for the colour. "Which drug was started" may be answered by a drug,
 * without that word.
 */
function askedOfClass(all: readonly Word[], at: number): Asked {
  const rest = all.slice(at + 1);
  const until = rest.findIndex(({ content }) => !content);
  const end = until < 0 ? rest.length : until;
  const behind = rest[end];
  const own = common(rest.slice(0, end));
  if (/^what$/iu.test(all[at]?.text ?? "") && behind && BE.test(behind.text)) return attribute(own);
  return loose(common([...all.slice(0, at), ...rest]));
}

/**
 * "How many users" asks for the users; "how long" is answered by a length and "how do I" by steps,
 * which have no name.
 */
function askedByHow(all: readonly Word[], at: number): Asked {
  const next = all[at];
  if (!next || /^(?:do|does|did|can|could|should|would|to|is|are|was|were)$/iu.test(next.text))
    return loose([]);
  const rest = common(all.slice(at + 1));
  const counted = /^(?:many|much)$/iu.test(next.text) ? run(all, at + 1) : [];
  return counted.length > 0 ? attribute(counted, rest.slice(counted.length)) : loose(rest);
}

/**
 * "The policy number of Ann", "Ann's policy number"; without such a link the question asks for the
 * thing itself.
 */
function askedOf(rest: readonly Word[]): Asked {
  const owner = rest.findLastIndex(({ text }) => /\p{L}['’]s?$/iu.test(text));
  const owned = owner < 0 ? [] : run(rest, owner + 1);
  if (owned.length > 0) return attribute(owned);
  const link = rest.findIndex(({ text }, at) => at > 1 && LINK.test(text));
  const own = common(link < 0 ? rest : rest.slice(0, link));
  if (own.length === 0) return loose(common(rest));
  // "What is attached to it" has a link too, but nothing in it belongs to something else.
  const isThing =
    /^the$/iu.test(rest[0]?.text ?? "") && rest.slice(1, link).every(({ content }) => content);
  return link > 0 && isThing ? attribute(own) : loose(own);
}

/** The consecutive content words from `from` on. */
function run(all: readonly Word[], from: number): readonly Word[] {
  const rest = all.slice(from);
  const end = rest.findIndex(({ content }) => !content);
  return rest.slice(0, end < 0 ? rest.length : end).filter(isCommon);
}

function common(all: readonly Word[]): readonly Word[] {
  return all.filter(isCommon);
}

/** "What kind of", "the name of": the thing asked for follows. */
const EMPTY = /^(?:kinds?|sorts?|types?|names?)$/iu;

/** Drops words that only lead to the thing asked for; in "blood type of" the word is part of a name. */
function withoutLead(all: readonly Word[]): readonly Word[] {
  return all.filter(({ text }, at) => {
    const isLead = EMPTY.test(text) && /^of$/iu.test(all[at + 1]?.text ?? "");
    return !isLead || all[at - 1]?.content === true;
  });
}

function isCommon({ text, content, proper, number }: Word): boolean {
  return content && !number && !proper && !UNSAID.test(text);
}

const ASKS = /何|誰|だれ|いつ|どこ|いくら|いくつ|どの|どれ|どう|どんな|なぜ/u;
const ASKING = /^(?:何.?|[番人名社件個歳分円年月日時校枚台本回]$|誰|いくら|いくつ|どの|教え|下さ)/u;

/** "XのAは何ですか" asks for A; "Xはいつ建てられましたか" asks for what follows the question word. */
function askedInJapanese(text: string): Asked {
  const all = words(text).filter((word) => isCommon(word) && !ASKING.test(word.text));
  const asks = text.search(ASKS);
  const topic = text.lastIndexOf("は", asks < 0 ? text.length : asks);
  if (topic < 0) return loose(asks < 0 ? [] : all.filter(({ start }) => start > asks));
  const said = all.filter(({ start }) => start > topic);
  const owner = text.lastIndexOf("の", topic);
  const own = all.filter(({ start, end }) => start > owner && end <= topic);
  if (owner >= 0 && own.length > 0) return attribute(own, said);
  return loose(said.length > 0 ? said : own);
}
