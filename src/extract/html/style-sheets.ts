// The style sheets of a page or drawing: rules of one simple selector, by what they say about an element.

export type Attributes = Readonly<Record<string, string>>;

/** By property; later ones win. */
export type Declarations = Readonly<Record<string, string | undefined>>;

const NONE: Declarations = {};

/** `.class`, `#id`, `tag`, `tag.class`; others depend on the tree. */
const SIMPLE = /^(?=.)(?:[a-z][a-z0-9]*)?(?:[.#][\w-]+)?$/i;

export interface StyleRules {
  /** Of an element, its own style included. */
  of(name: string, attributes: Attributes): Declarations;
  /** Rules of all other selectors. */
  readonly others: readonly Declarations[];
}

export function openRules(sheets: readonly string[]): StyleRules {
  const rules = new Map<string, Declarations>();
  const others: Declarations[] = [];
  for (const { head, body } of sheets.flatMap((sheet) => [...cssRules(sheet)])) {
    const declared = declarations(body);
    for (const selector of head.split(",").map((one) => one.trim())) {
      if (SIMPLE.test(selector)) rules.set(selector, { ...rules.get(selector), ...declared });
      else others.push(declared);
    }
  }
  const ruled = (name: string, { class: classes = "", id = "" }: Attributes) => {
    const named = classes.split(/\s+/).flatMap((one) => [`.${one}`, `${name}.${one}`]);
    return [name, ...named, `#${id}`].map((selector) => rules.get(selector));
  };
  return {
    others,
    of(name, attributes) {
      const { style, class: classes, id } = attributes;
      const own = style === undefined ? NONE : declarations(style);
      if (rules.size === 0) return own;
      // Most elements have nothing but a name.
      if (own === NONE && !classes && !id) return rules.get(name) ?? NONE;
      return Object.assign({}, ...ruled(name, attributes), own);
    },
  };
}

function declarations(body: string): Declarations {
  const pairs = body.split(";").flatMap((each) => {
    const colon = each.indexOf(":");
    const value = each
      .slice(colon + 1)
      .replace("!important", "")
      .trim();
    return colon < 0 ? [] : [[each.slice(0, colon).trim().toLowerCase(), value] as const];
  });
  return Object.fromEntries(pairs);
}

/** The text between `<style …>` and `</style>`. */
export function styleSheets(source: string): readonly string[] {
  const sheets: string[] = [];
  const opening = /<style/gi;
  const closing = /<\/style>/gi;
  for (let found = opening.exec(source); found !== null; found = opening.exec(source)) {
    const from = source.indexOf(">", opening.lastIndex) + 1;
    if (from === 0) break;
    closing.lastIndex = from;
    const end = closing.exec(source);
    if (end === null) break;
    sheets.push(source.slice(from, end.index));
    opening.lastIndex = closing.lastIndex;
  }
  return sheets;
}

/** In one pass, so an unclosed rule costs no more than others. What a media query hides may be shown on a screen. */
function* cssRules(sheet: string): Generator<{ readonly head: string; readonly body: string }> {
  const css = withoutComments(sheet);
  const state = { from: 0, depth: 0, query: 0, head: undefined as string | undefined };
  for (const { 0: brace, index } of css.matchAll(/[{}]/g)) {
    const text = css.slice(state.from, index);
    state.from = index + 1;
    if (brace === "{") {
      state.depth += 1;
      state.head = text.slice(text.lastIndexOf(";") + 1);
      if (state.query === 0 && state.head.includes("@")) state.query = state.depth;
      continue;
    }
    if (state.query === 0 && state.head !== undefined) yield { head: state.head, body: text };
    state.head = undefined;
    if (state.depth === state.query) state.query = 0;
    state.depth = Math.max(0, state.depth - 1);
  }
}

function withoutComments(css: string): string {
  const kept: string[] = [];
  for (let at = 0; at < css.length; ) {
    const open = css.indexOf("/*", at);
    kept.push(css.slice(at, open < 0 ? css.length : open));
    const close = open < 0 ? -1 : css.indexOf("*/", open + 2);
    if (close < 0) break;
    at = close + 2;
  }
  return kept.join("");
}
