// Splits the style sheets of a page or drawing into rules in one pass, so an unclosed rule costs no more than others.

export interface CssRule {
  readonly head: string;
  readonly body: string;
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

/** Yields only unconditional rules: what a media query hides may be shown on a screen. */
export function* cssRules(sheet: string): Generator<CssRule> {
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
