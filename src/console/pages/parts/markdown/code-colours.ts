// Highlights source code in a few colours: comments, strings, numbers and common keywords. Enough to read by, small to
// load.

export interface CodePiece {
  readonly text: string;
  readonly kind?: "comment" | "string" | "number" | "keyword";
}

const HASH =
  /^(?:py|python|sh|bash|zsh|shell|console|yaml|yml|toml|ini|rb|ruby|r|pl|perl|make|makefile|dockerfile|nix|tf|elixir|ex|conf)$/;
const DASH = /^(?:sql|lua|haskell|hs|elm|ada|vhdl)$/;
const MARKUP = /^(?:html|xml|svg|vue|xsl|xhtml)$/;
const PROSE = /^(?:text|txt|plain|log|output|none|md|markdown|diff)?$/;

const STRING = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/.source;
const NUMBER = /\b(?:0[xX][\da-fA-F_]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)\b/.source;
const WORD = /\b[A-Za-z_]\w*\b/.source;
const SLASH_COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/.source;
const HASH_COMMENT = /(?<=^|\s)#[^\n]*/.source;
const DASH_COMMENT = /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/.source;
const MARKUP_COMMENT = /<!--[\s\S]*?(?:-->|$)/.source;

const KEYWORDS = new Set(
  (
    "abstract and as assert async await begin bool boolean break case catch char class const continue create debug def " +
    "default defer del delete do done double elif else elseif end enum esac except export extends extern false fi final " +
    "finally float fn for foreach from func function go goto group guard if impl implements import in include inner insert " +
    "instanceof int interface internal into is join lambda left let limit local long loop match mod module mut namespace " +
    "new nil none not null object of on operator or order package pass private protected protocol pub public raise readonly " +
    "record ref require return right select self set short sizeof static str string struct super switch table then this " +
    "throw throws trait true try type typedef typeof undefined union unless unsigned until update use using val values var " +
    "virtual void volatile when where while with yield"
  ).split(" "),
);

export function colour(code: string, language: string): readonly CodePiece[] {
  const name = language.toLowerCase();
  const looksLikeJson = name === "" && /^\s*[[{]/.test(code);
  if (PROSE.test(name) && !looksLikeJson) return [{ text: code }];
  const pattern = new RegExp(
    `(?<comment>${commentOf(name)})|(?<string>${STRING})|(?<number>${NUMBER})|(?<word>${WORD})`,
    "gm",
  );
  const pieces: CodePiece[] = [];
  let end = 0;
  for (const match of code.matchAll(pattern)) {
    const kind = kindOf(match.groups ?? {});
    if (kind === undefined) continue;
    if (match.index > end) pieces.push({ text: code.slice(end, match.index) });
    pieces.push({ text: match[0], kind });
    end = match.index + match[0].length;
  }
  if (end < code.length) pieces.push({ text: code.slice(end) });
  return pieces;
}

function commentOf(language: string): string {
  if (HASH.test(language)) return HASH_COMMENT;
  if (DASH.test(language)) return DASH_COMMENT;
  return MARKUP.test(language) ? MARKUP_COMMENT : SLASH_COMMENT;
}

function kindOf(groups: Readonly<Record<string, string | undefined>>): CodePiece["kind"] {
  const { comment, string, number, word } = groups;
  if (comment !== undefined) return "comment";
  if (string !== undefined) return "string";
  if (number !== undefined) return "number";
  return word !== undefined && KEYWORDS.has(word.toLowerCase()) ? "keyword" : undefined;
}
