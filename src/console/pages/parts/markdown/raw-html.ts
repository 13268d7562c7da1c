// HTML inside Markdown: plain tags are rewritten without their attributes, all others are left out. The sanitiser runs
// afterwards; what never reaches it need not be refused, and the browser logs no warnings.

export const PLAIN_TAGS: ReadonlySet<string> = new Set(
  (
    "p br hr h1 h2 h3 h4 h5 h6 strong em b i u s del ins small sub sup kbd code samp var abbr q cite pre blockquote " +
    "ul ol li dl dt dd table caption thead tbody tfoot tr th td span div details summary ruby rt rp"
  ).split(" "),
);
// Comments, elements whose content is not text, then any tag.
const PART =
  /<!--[\s\S]*?(?:-->|$)|<(script|style|template|noscript|iframe|svg|math|object|title|textarea|select)\b[\s\S]*?(?:<\/\1\s*>|$)|<(\/?)([a-z][a-z0-9]*)((?:"[^"]*"|'[^']*'|[^'">])*)>/gi;
const ADDRESS = /\shref\s*=\s*(?:"(https?:\/\/[^"]*)"|'(https?:\/\/[^']*)')/i;

export function plainTags(html: string): string {
  let end = 0;
  let made = "";
  for (const match of html.matchAll(PART)) {
    made += escapeText(html.slice(end, match.index));
    made += tagOf(match[3]?.toLowerCase() ?? "", match[2] ?? "", match[4] ?? "");
    end = match.index + match[0].length;
  }
  return made + escapeText(html.slice(end));
}

function tagOf(name: string, slash: string, attributes: string): string {
  if (PLAIN_TAGS.has(name)) return `<${slash}${name}>`;
  if (name !== "a") return "";
  const [, double, single] = ADDRESS.exec(attributes) ?? [];
  const address = double ?? single;
  return slash || address === undefined ? `<${slash}a>` : `<a href="${escapeText(address)}">`;
}

const MARKS = new Map(
  Object.entries({
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
  }),
);

/** For code, where every character is literal. */
export function escapeAll(text: string): string {
  return text.replace(/[&<>"]/g, (mark) => MARKS.get(mark) ?? mark);
}

/** For prose, where entities are kept. */
export function escapeText(text: string): string {
  return text.replace(
    /[<>"]|&(?!(?:#\d{1,7}|#x[a-f0-9]{1,6}|\w+);)/gi,
    (mark) => MARKS.get(mark) ?? mark,
  );
}
