// Markdown → elements that are safe to show. Loaded with the first text. There is one instance, because the page's
// policy allows a sanitiser only once.
import purify, { type Config } from "dompurify";
import { finishElements } from "./finish-elements.ts";
import { markSpans, markWords, type SourceSpan } from "./marks.ts";
import { PLAIN_TAGS } from "./raw-html.ts";
import { type HtmlOptions, toHtml } from "./to-html.ts";

interface RenderOptions extends HtmlOptions {
  readonly text: string;
  readonly query: string;
  readonly spans: readonly SourceSpan[];
  /** The level of the highest heading. */
  readonly level: number;
  /** The accessible name of a table. */
  readonly tableName: string;
}

export type Engine = ReturnType<typeof openEngine>;

const HARMLESS = "start align colspan rowspan data-at data-size data-language data-picture".split(
  " ",
);

// No id, class, name or style: a text must not replace the page's own elements. No picture, frame,
// form or media: a text must not make the browser fetch anything.
const RULES = {
  ALLOWED_TAGS: [...PLAIN_TAGS, "a", "#text"],
  ALLOWED_ATTR: ["href", ...HARMLESS],
  ADD_URI_SAFE_ATTR: HARMLESS,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  ALLOWED_URI_REGEXP: /^(?:https?:\/\/|mailto:)/i,
  RETURN_DOM_FRAGMENT: true,
} satisfies Config & { RETURN_DOM_FRAGMENT: true };

export function openEngine() {
  return {
    render(options: RenderOptions): DocumentFragment {
      const clean = purify.sanitize(toHtml(options.text, options), RULES);
      finishElements(clean, options.level, options.tableName);
      markSpans(clean, options.spans);
      if (options.query !== "") markWords(clean, options.query);
      return clean;
    },
    /** Removes anything that could run or fetch from an SVG. */
    cleanSvg: (source: string): string =>
      purify.sanitize(source, {
        USE_PROFILES: { svg: true, svgFilters: true },
        NAMESPACE: "http://www.w3.org/2000/svg",
        PARSER_MEDIA_TYPE: "application/xhtml+xml",
      }),
  };
}
