// Patterns of paths: `*` within a folder, `**` across folders, `?` one character. Every state of a pattern is followed at
// once, so that no pattern takes longer than its length times the text's.

type Token =
  /** `folders` matches nothing or continues `inside`, which ends after a slash. */
  | { readonly kind: "one" | "star" | "deep" | "folders" | "inside" }
  | { readonly kind: "letter"; readonly letter: string };

export const MAX_GLOB = 500;

/** `anything`: a star crosses folders too, and nothing else is special. */
export interface GlobOptions {
  readonly star?: "in-folder" | "anything";
}

export function openGlob(pattern: string, { star = "in-folder" }: GlobOptions = {}) {
  const tokens = star === "anything" ? toPlainTokens(pattern) : toTokens(pattern);
  const tail = literalTail(tokens);
  return (text: string): boolean => text.endsWith(tail) && follow(tokens, text);
}

/** A relative pattern matches in any folder: `docs/*.md` anywhere, `/srv/docs/*.md` only there. */
export function openPathGlob(pattern: string): (path: string) => boolean {
  const matches = openGlob(pattern.startsWith("/") ? pattern : `**/${pattern}`);
  return (path) => matches(path.startsWith("/") ? path : `/${path}`);
}

/** The same pattern as a regular expression, for databases whose matcher does not backtrack (PostgreSQL). */
export function toPathRegex(pattern: string): string {
  const body = toTokens(pattern).map((token) => {
    if (token.kind === "letter") return token.letter.replace(/[^\p{L}\p{N}/_-]/gu, "\\$&");
    return REGEX[token.kind];
  });
  return `${pattern.startsWith("/") ? "^" : "(^|/)"}${body.join("")}$`;
}

const REGEX = { one: "[^/]", star: "[^/]*", deep: ".*", folders: "(.*/)?", inside: "" } as const;

function toTokens(pattern: string): readonly Token[] {
  const tokens: Token[] = [];
  for (const [part] of pattern.matchAll(/\*\*\/|\*+|[^*]/gsu)) {
    if (part === "**/") tokens.push({ kind: "folders" }, { kind: "inside" });
    else if (part.length > 1 && part.startsWith("**")) tokens.push({ kind: "deep" });
    else if (part === "*") tokens.push({ kind: "star" });
    else tokens.push(part === "?" ? { kind: "one" } : { kind: "letter", letter: part });
  }
  return tokens;
}

function toPlainTokens(pattern: string): readonly Token[] {
  return [...pattern].map((letter) =>
    letter === "*" ? { kind: "deep" } : { kind: "letter", letter },
  );
}

function literalTail(tokens: readonly Token[]): string {
  const last = tokens.findLastIndex(({ kind }) => kind !== "letter");
  return tokens
    .slice(last + 1)
    .map((token) => (token.kind === "letter" ? token.letter : ""))
    .join("");
}

function follow(tokens: readonly Token[], text: string): boolean {
  let at = skipStars(tokens, new Set([0]));
  for (const letter of text) {
    const next = new Set([...at].flatMap((state) => step(tokens[state], letter, state)));
    if (next.size === 0) return false;
    at = skipStars(tokens, next);
  }
  return at.has(tokens.length);
}

function step(token: Token | undefined, letter: string, state: number): readonly number[] {
  switch (token?.kind) {
    case "inside":
      return letter === "/" ? [state, state + 1] : [state];
    case "deep":
      return [state];
    case "star":
      return letter === "/" ? [] : [state];
    case "one":
      return letter === "/" ? [] : [state + 1];
    case "letter":
      return token.letter === letter ? [state + 1] : [];
    default:
      return [];
  }
}

/** A star may match nothing, and `**` with its slash no folder. */
function skipStars(tokens: readonly Token[], states: Set<number>): Set<number> {
  for (const state of states) {
    const kind = tokens[state]?.kind;
    if (kind === "star" || kind === "deep") states.add(state + 1);
    if (kind === "folders") states.add(state + 1).add(state + 2);
  }
  return states;
}
