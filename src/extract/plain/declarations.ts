// Finds where functions, classes and sections begin in source code and configuration, by the look of a line, with the
// same few rules for every language. A parser for each would know more and cost far more.

export interface Declaration {
  /** As written in the source: "class Store", "def open". */
  readonly name: string;
  /** 2 at the top level, 3 inside it. */
  readonly level: 2 | 3;
}

interface Rule {
  readonly pattern: RegExp;
  readonly level?: 2 | 3;
}

// Longer lines are data or minified code.
const MAX_LINE_LENGTH = 300;
const NO_NAME = new Set(
  "if for while switch catch return else do try new throw await typeof with using lock foreach elif unless until when match case function".split(
    " ",
  ),
);

const WORDS = (keywords: string): Rule => ({
  pattern: new RegExp(
    `^\\s*(?:[\\w@]+[ \\t]+){0,5}?((?:${keywords})[ \\t]+(?:\\([^()]{0,80}\\)[ \\t]*)?[\\w$.:<>*"'-]+)`,
  ),
});
const RETURNS = String.raw`(?:[\w$<>[\],.*&:?@~]+[ \t]+){0,6}?`;
/**
 * Functions of C-like languages; their parameters may continue on the next line. Attributes and
 * directives do not count.
 */
const CALLABLE: Rule = {
  pattern: new RegExp(String.raw`^(?![[#])${RETURNS}([\w$~:]+)[ \t]*\([^;]{0,200}[{:]?[ \t]*$`),
};
/** Inside a class. A call that continues on the next line looks similar, but ends differently. */
const METHOD: Rule = {
  pattern: new RegExp(
    String.raw`^[ \t]+(?!\[)${RETURNS}([\w$~:]+)[ \t]*\([^;"]{0,200}(?:\{|\)(?:[ \t]+(?:const|noexcept|override|final|throws[ \t][\w., \t]+))*)[ \t]*$`,
  ),
};
/** In a script, a call with a function or string argument is not a method. */
const SCRIPT_METHOD: Rule = {
  pattern:
    /^[ \t]+(?:(?:async|static|get|set|public|private|protected|override|readonly)[ \t]+)*\*?([\w$#]+)[ \t]*(?:<[^<>]{0,80}>)?\((?!["'`])(?![^{]*=>[^){]*\{[ \t]*$)[^;]{0,200}\{[ \t]*$/,
};
const TYPE: Rule = {
  pattern: /^[ \t]*(?:export[ \t]+|declare[ \t]+)*(type[ \t]+[\w$]+)[ \t]*[<=]/,
};
const IMPL: Rule = {
  pattern:
    /^[ \t]*(?:unsafe[ \t]+)?(impl\b(?:<[^{]{0,80}?>)?[ \t]+[^{]{1,120}?)[ \t]*(?:\{.*|\bwhere\b.*)?$/,
};
const RUBY_DEF: Rule = { pattern: /^\s*(?:\w+[ \t]+)?(def[ \t]+[\w.?!=<>[\]+*%~/-]+)/ };
const ARROW: Rule = {
  pattern:
    /^(?:export[ \t]+)?((?:const|let|var)[ \t]+[\w$]+)(?:[ \t]*:[^=]{0,120})?[ \t]*=[ \t]*(?:async[ \t]*)?(?:\(|function\b|[\w$]+[ \t]*=>)/,
};
const SECTION: Rule = { pattern: /^\[{1,2}([^[\]]{1,120})\]{1,2}[ \t]*(?:[#;].*)?$/, level: 2 };
const KEY: Rule = { pattern: /^["']?([\w./@-]{1,80})["']?:[ \t]*(?:[#&|>].*)?$/, level: 2 };
const TARGET: Rule = { pattern: /^([\w./%-]{1,80})[ \t]*:(?!=)/, level: 2 };

const SCRIPT = [WORDS("function|class|interface|enum|namespace"), TYPE, ARROW, SCRIPT_METHOD];
const C_LIKE = [WORDS("class|struct|enum|union|namespace"), CALLABLE, METHOD];
const JAVA_LIKE = [WORDS("class|interface|enum|record|struct|namespace"), CALLABLE, METHOD];

const RULES: readonly (readonly [string, readonly Rule[]])[] = [
  ["ts tsx mts cts js jsx mjs cjs vue svelte", SCRIPT],
  ["py pyi", [WORDS("def|class")]],
  ["rb", [RUBY_DEF, WORDS("class|module")]],
  ["go", [WORDS("func|type")]],
  ["rs", [IMPL, WORDS("fn|struct|enum|trait|mod")]],
  ["java cs groovy gradle dart", JAVA_LIKE],
  ["scala", [WORDS("class|object|trait|enum|def")]],
  ["kt kts swift", [WORDS("class|interface|object|struct|enum|protocol|extension|fun|func")]],
  ["c h cc cpp cxx hh hpp m mm", C_LIKE],
  ["php", [WORDS("function|class|interface|trait|enum")]],
  ["lua jl fs", [WORDS("function|module|struct|let|type")]],
  ["pl pm", [WORDS("sub|package")]],
  ["ex exs", [WORDS("defmodule|defp?|defmacro")]],
  ["sh bash zsh fish ps1", [WORDS("function"), { pattern: /^[ \t]*([\w.-]+)[ \t]*\(\)/ }]],
  [
    "sql",
    [
      {
        pattern:
          /^[ \t]*(create[ \t]+(?:or[ \t]+replace[ \t]+)?(?:temp(?:orary)?[ \t]+|unique[ \t]+)?(?:table|view|function|procedure|trigger|index|type)[ \t]+(?:if[ \t]+not[ \t]+exists[ \t]+)?[\w."]+)/i,
      },
    ],
  ],
  ["proto graphql gql", [WORDS("message|service|enum|type|interface|input|query|mutation")]],
  ["tf hcl", [{ pattern: /^((?:resource|data|module|variable|output|provider)\b[^{]{0,120})\{/ }]],
  ["css scss less", []],
  ["toml ini cfg conf properties", [SECTION]],
  ["yaml yml", [KEY]],
  ["makefile", [TARGET]],
];

const BY_EXTENSION: ReadonlyMap<string, readonly Rule[]> = new Map(
  RULES.flatMap(([names, rules]) => names.split(" ").map((name) => [name, rules] as const)),
);

/** Returns a function that finds the declaration that a line begins, by the language of the file name. */
export function declarationsOf(filename: string): (line: string) => Declaration | undefined {
  const name = /[^/\\]*$/.exec(filename)?.[0].toLowerCase() ?? "";
  const rules = BY_EXTENSION.get(/\.([^.]+)$/.exec(name)?.[1] ?? name) ?? [];
  return (line) => {
    if (line.length > MAX_LINE_LENGTH || isComment(line)) return undefined;
    for (const { pattern, level } of rules) {
      const found = pattern.exec(line)?.[1]?.trim();
      if (found === undefined || NO_NAME.has(found) || isMacroCall(found, line)) continue;
      return {
        name: toName(found),
        level: level ?? (/^\s/.test(line) ? 3 : 2),
      };
    }
    return undefined;
  };
}

/** `PyDoc_STRVAR(doc,` is not a function, but `TEST_F(Store, opens) {` works like one. */
function isMacroCall(name: string, line: string): boolean {
  return /(?:^|_)[A-Z][A-Z0-9_]+$/.test(name) && !/\{\s*$/.test(line);
}

function toName(found: string): string {
  const bare = found.startsWith("impl") ? found.replace(/<[^<>]*(?:<[^<>]*>[^<>]*)*>/g, "") : found;
  return bare.replace(/\s+/g, " ").replace(/[:{(<]+$/, "");
}

/** Comments, decorators and attributes belong to the declaration below them. */
export function isComment(line: string): boolean {
  return /^\s*(?:\/\/|\/?\*|#(?!include|define)|--|;|@|"""|''')/.test(line);
}
