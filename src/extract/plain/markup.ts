// LaTeX, reStructuredText, Org, AsciiDoc, subtitles, calendars and address cards → Markdown: headings, lists, code and
// tables; what only typesets is dropped.

export function markupToMarkdown(extension: string, text: string): string | undefined {
  return CONVERTERS.get(extension)?.(text);
}

const CONVERTERS: ReadonlyMap<string, (text: string) => string> = new Map([
  ["tex", fromLatex],
  ["latex", fromLatex],
  ["rst", fromRst],
  ["org", fromOrg],
  ["adoc", fromAsciiDoc],
  ["asciidoc", fromAsciiDoc],
  ["srt", fromSubtitles],
  ["vtt", fromSubtitles],
  ["ics", fromCards],
  ["vcf", fromCards],
]);

const heading = (level: number, text: string) =>
  `\n\n${"#".repeat(Math.min(6, level))} ${text}\n\n`;

const LATEX_LEVELS: ReadonlyMap<string, number> = new Map([
  ["part", 1],
  ["chapter", 1],
  ["section", 2],
  ["subsection", 3],
  ["subsubsection", 4],
  ["paragraph", 5],
]);
const LATEX_SIGNS: ReadonlyMap<string, string> = new Map([
  ["---", "—"],
  ["--", "–"],
  ["``", "“"],
  ["''", "”"],
  ["~", " "],
]);

const LATEX_DROPPED =
  /\\href\s?\{[^{}\n]{0,500}\}|\\(?:label|cite\w{0,4}|ref|includegraphics|usepackage|hspace|vspace|input)\*?(?:\[[^\]\n]{0,200}\])?\{[^{}\n]{0,200}\}|\\(?:hline|maketitle|tableofcontents|newpage|noindent|centering|small|large)\b/g;
const LATEX_CODE = /\\(?:begin|end)\s?\{(?:verbatim|lstlisting|minted)\*?\}/;
const LATEX_FORMULAS = "(?:equation|align|gather|multline|eqnarray|displaymath)\\*?";

/** Combining marks, by the command that puts them on a letter. */
const LATEX_ACCENTS: ReadonlyMap<string, string> = new Map([
  ["`", "\u0300"],
  ["'", "\u0301"],
  ["^", "\u0302"],
  ["~", "\u0303"],
  ["=", "\u0304"],
  ["u", "\u0306"],
  [".", "\u0307"],
  ['"', "\u0308"],
  ["r", "\u030a"],
  ["H", "\u030b"],
  ["v", "\u030c"],
  ["d", "\u0323"],
  ["c", "\u0327"],
  ["k", "\u0328"],
]);
const LATEX_LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries({ ss: "ß", ae: "æ", AE: "Æ", oe: "œ", OE: "Œ", aa: "å", AA: "Å" }).concat(
    Object.entries({ o: "ø", O: "Ø", l: "ł", L: "Ł", i: "ı", j: "ȷ", dh: "ð", th: "þ" }),
  ),
);
// `\'e`, `\'{e}` and `\'\i`; those that are letters need a brace or a space: `\v{s}`, `\c c`.
const LATEX_ACCENTED =
  /(?<!\\)\\(?:([`'^~=."])\s?|([uvHrcdk])(?=[\s{\\])\s?)(?:\{\\?(\p{L})\}|\\?(\p{L}))/gu;
const LATEX_LETTER =
  /(?:\{\\(ss|ae|AE|oe|OE|aa|AA|dh|th|[oOlLij])\}|\\(ss|ae|AE|oe|OE|aa|AA|dh|th|[oOlLij])(?![a-zA-Z])(?:\{\}| )?)/g;

function withAccents(text: string): string {
  return text
    .replace(LATEX_ACCENTED, (_, sign?: string, name?: string, braced?: string, bare?: string) => {
      const mark = LATEX_ACCENTS.get(sign ?? name ?? "") ?? "";
      return `${braced ?? bare ?? ""}${mark}`.normalize("NFC");
    })
    .replace(LATEX_LETTER, (all, braced?: string, bare?: string) => {
      return LATEX_LETTERS.get(braced ?? bare ?? "") ?? all;
    });
}

function fromLatex(text: string): string {
  const start = text.indexOf("\\begin{document}");
  const body = aroundCode(start < 0 ? text : text.slice(start), LATEX_CODE, fromLatexText);
  const title = inBraces("title", text);
  const others = start < 0 ? [] : [inBraces("author", text), inBraces("date", text)];
  const head = [title && `# ${title}`, ...others].filter(Boolean);
  return [...head, body].join("\n\n");
}

/** The words of a command in the preamble, which is otherwise dropped. */
function inBraces(command: string, text: string): string | undefined {
  const words = new RegExp(`\\\\${command}\\s?\\{((?:[^{}]|\\{[^{}]{0,200}\\}){1,300})\\}`).exec(
    text,
  )?.[1];
  if (words === undefined) return undefined;
  const plain = words.replace(/\s*\\and\b\s*/g, ", ").replace(/\\\\/g, " ");
  return withoutCommands(withAccents(plain)).replace(/\s+/g, " ").trim();
}

/** Code keeps every character; `fence` begins and ends it. */
function aroundCode(text: string, fence: RegExp, convert: (text: string) => string): string {
  const converted = text
    .split(fence)
    .map((part, at) => (at % 2 === 0 ? convert(part.replace(/^\n|\n$/g, "")) : codeOf(part)));
  return converted.join("\n```\n");
}

/** Without the options of a listing, which follow its beginning. */
function codeOf(part: string): string {
  return part.replace(/^(?:\[[^\]\n]{0,200}\])?(?:\{\w{1,40}\})?[ \t]*\n/, "").trimEnd();
}

function fromLatexText(text: string): string {
  const formulas: string[] = [];
  const body = text
    .replace(/[\ue000\ue001]/g, "")
    .replace(/(^|[^\\])%[^\n]*/g, "$1")
    .replace(new RegExp(`\\\\begin\\s?\\{${LATEX_FORMULAS}\\}`, "g"), "\n\\[")
    .replace(new RegExp(`\\\\end\\s?\\{${LATEX_FORMULAS}\\}`, "g"), "\\]\n")
    .replace(
      /(?<!\\)(?:\$\$?[^$]{1,500}?(?<!\\)\$\$?|\\\[[\s\S]{1,500}?\\\]|\\\([\s\S]{1,500}?\\\))/g,
      (formula) => `\ue000${formulas.push(formula) - 1}\ue001`,
    );
  const plain = withAccents(body)
    .replace(/\\begin\s?\{tabular[^\n]*/g, "")
    .replace(/\\(?:begin|end)\s?\{[^{}\n]{0,60}\}(?:\[[^\]\n]{0,100}\])?/g, "\n")
    .replace(
      /\\((?:sub){0,2}section|chapter|part|paragraph)\*?\s?\{([^{}\n]{1,300})\}/g,
      (_, name: string, words: string) => heading(LATEX_LEVELS.get(name) ?? 4, words),
    )
    .replace(/\n?\s?\\item(?:\[([^\]\n]{0,200})\])? ?/g, (_, label?: string) =>
      label === undefined ? "\n- " : `\n- ${label} `,
    )
    .replace(LATEX_DROPPED, "")
    .replace(/ ?(?<!\\)& ?/g, " | ")
    .replace(/\\\\/g, "\n")
    .replace(/\\([#$%&_{}])/g, "$1");
  return withoutCommands(plain)
    .replace(/---|--|``|''|~/g, (sign) => LATEX_SIGNS.get(sign) ?? sign)
    .replace(/\ue000(\d+)\ue001/g, (_, at: string) => formulas[Number(at)] ?? "");
}

/** `\textbf{words}` is its words. A command inside another goes with the next round. */
function withoutCommands(text: string): string {
  let rest = text;
  for (let round = 0; round < 4; round += 1) {
    rest = rest.replace(/\\[a-zA-Z]{1,30}\*?\s?\{([^{}\\]*)\}/g, "$1");
  }
  return rest.replace(/\\[a-zA-Z]{1,30}\*?/g, " ").replace(/[{}]/g, "");
}

const RST_LINE = /^([=\-~^"'`#*+:.<>_])\1{2,}\s*$/;

function fromRst(text: string): string {
  const levels: string[] = [];
  const lines = text.split("\n");
  const kept: string[] = [];
  for (const [at, line] of lines.entries()) {
    const mark = RST_LINE.exec(line)?.[1];
    const above = kept.at(-1)?.trim() ?? "";
    const isUnder = mark !== undefined && above !== "" && line.trim().length >= above.length / 2;
    if (isUnder && !above.startsWith("#")) {
      if (!levels.includes(mark)) levels.push(mark);
      kept.splice(-1, 1, heading(levels.indexOf(mark) + 1, above));
    } else if (mark === undefined || (lines[at + 1] ?? "").trim() === "") {
      kept.push(line.replace(/^\.\. (?:[\w-]+:: ?|_[^:]{1,100}: ?\S*$|$)/, ""));
    }
  }
  return kept.join("\n").replace(/`([^`<\n]{1,300}?) ?<[^>\n]{1,500}>`_{1,2}/g, "$1");
}

function fromOrg(text: string): string {
  return aroundCode(text, /^#\+(?:begin|end)_(?:src|example)\b.*$/im, fromOrgText);
}

function fromOrgText(text: string): string {
  return text
    .replace(/^#\+title:[ \t]*(.*)$/gim, (_, words: string) => heading(1, words))
    .replace(/^#\+(?:author|date|subtitle|caption|description|keywords):[ \t]*(.*)$/gim, "$1\n")
    .replace(/^#\+\w+:?.*$/gm, "")
    .replace(/^:[\w-]{1,40}:.*$/gm, "")
    .replace(/^(\*{1,6})[ \t]+(.*)$/gm, (_, stars: string, words: string) =>
      heading(stars.length + 1, words),
    )
    .replace(/\[\[[^\][\n]{1,500}\]\[([^\][\n]{1,500})\]\]/g, "$1")
    .replace(/\[\[([^\][\n]{1,500})\]\]/g, "$1");
}

function fromAsciiDoc(text: string): string {
  return aroundCode(text, /^(?:-{4,}|\.{4,})[ \t]*$/m, fromAsciiDocText);
}

function fromAsciiDocText(text: string): string {
  return text
    .replace(/^:(?:author|description|keywords|revdate):[ \t]*(.*)$/gm, "$1\n")
    .replace(/^(={1,6})[ \t]+(\S.*)$/gm, (_, marks: string, words: string) =>
      heading(marks.length, words),
    )
    .replace(/^(?::[\w-]{1,40}:|\[[^\]\n]{0,200}\][ \t]*$|\/\/).*$/gm, "")
    .replace(/\b(?:link:)?https?:[^\s[]{1,500}\[([^\]\n]{1,300})\]/g, "$1");
}

/** What is said, without numbers and times. */
function fromSubtitles(text: string): string {
  return text
    .replace(/^WEBVTT[^\n]*\n/, "")
    .split("\n")
    .filter((line) => !line.includes("-->") && !/^\d+\s*$/.test(line))
    .join("\n")
    .replace(/<[^<>\n]{1,100}>/g, "");
}

const CARD_TITLES = new Set(["SUMMARY", "FN"]);
const CARD_NOISE =
  /^(?:BEGIN|END|VERSION|PRODID|UID|DTSTAMP|SEQUENCE|CALSCALE|METHOD|REV|PHOTO|LOGO|N|X-.*|TZ.*|TRANSP|CLASS)$/;

/** `NAME;PARAMETERS:value`, where a line that starts with a space continues the one before. */
function fromCards(text: string): string {
  const lines = text.replace(/\n[ \t]/g, "").split("\n");
  return lines
    .flatMap((line) => {
      const [, name = "", value = ""] =
        /^([A-Za-z0-9.-]{1,40})(?:;[^:\n]{0,300})?:(.*)$/.exec(line) ?? [];
      const label = name.replace(/^item\d+\./i, "").toUpperCase();
      const shown = value
        .replace(/\\n/gi, "\n")
        .replace(/\\([,;\\])/g, "$1")
        .replace(/;+/g, " ")
        .trim();
      if (shown === "" || CARD_NOISE.test(label)) return [];
      return [CARD_TITLES.has(label) ? heading(2, shown) : `${label.toLowerCase()}: ${shown}`];
    })
    .join("\n\n");
}
