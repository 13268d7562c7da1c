// Patterns of paths: `*` within a folder, `**` across folders, `?` one character. Every state of a pattern is followed at
// once, so that no pattern takes longer than its length times the text's.

export type Token =
  /**
   * `folders` matches nothing or continues `inside`, which ends after a slash. `low` matches the second half of a
   * character that is two code units long, or nothing.
   */
  | { readonly kind: "one" | "low" | "star" | "deep" | "folders" | "inside" }
  /** One code unit. */
  | { readonly kind: "letter"; readonly letter: string }
  | { readonly kind: "class"; readonly members: RegExp };

export const MAX_GLOB = 500;

/** Counts the states that were followed: what a match costs, whatever the machine. */
export interface Steps {
  count: number;
}

export function openGlob(pattern: string) {
  return openMatcher(toTokens(pattern));
}

/** A relative pattern matches in any folder: `docs/*.md` anywhere, `/srv/docs/*.md` only there. */
export function openPathGlob(pattern: string): (path: string, steps?: Steps) => boolean {
  const matches = openGlob(pattern.startsWith("/") ? pattern : `**/${pattern}`);
  return (path, steps) => matches(path.startsWith("/") ? path : `/${path}`, steps);
}

/** The same pattern as a regular expression, for databases whose matcher does not backtrack (PostgreSQL). */
export function toPathRegex(pattern: string): string {
  const body = toTokens(pattern).map((token) => {
    if (token.kind === "letter") return token.letter.replace(/[^\w/\u0080-\uffff-]/, "\\$&");
    return token.kind === "class" ? token.members.source : REGEX[token.kind];
  });
  return `${pattern.startsWith("/") ? "^" : "(^|/)"}${body.join("")}$`;
}

const REGEX = {
  one: "[^/]",
  low: "",
  star: "[^/]*",
  deep: ".*",
  folders: "(.*/)?",
  inside: "",
} as const;

function toTokens(pattern: string): readonly Token[] {
  const tokens: Token[] = [];
  for (const [part] of pattern.matchAll(/\*\*\/|\*+|[^*]/gs)) {
    if (part === "**/") tokens.push({ kind: "folders" }, { kind: "inside" });
    else if (part.length > 1) tokens.push({ kind: "deep" });
    else if (part === "*") tokens.push({ kind: "star" });
    else if (part === "?") tokens.push({ kind: "one" }, { kind: "low" });
    else tokens.push({ kind: "letter", letter: part });
  }
  return tokens;
}

/** Whether a whole text matches. */
export function openMatcher(tokens: readonly Token[]) {
  const isLiteral = tokens.every(({ kind }) => kind === "letter");
  const tail = literalTail(tokens);
  if (isLiteral) return (text: string, _steps?: Steps) => text === tail;
  const states = openStates(tokens);
  return (text: string, steps?: Steps) => text.endsWith(tail) && follow(states, text, steps);
}

function literalTail(tokens: readonly Token[]): string {
  const last = tokens.findLastIndex(({ kind }) => kind !== "letter");
  return tokens
    .slice(last + 1)
    .map((token) => (token.kind === "letter" ? token.letter : ""))
    .join("");
}

/** The states of a pattern that are reached after some of the text, each once. Reused from match to match. */
interface States {
  readonly tokens: readonly Token[];
  /** For each state, the round in which it was last reached. */
  readonly reachedIn: Float64Array;
  round: number;
  reached: number[];
  next: number[];
}

function openStates(tokens: readonly Token[]): States {
  const reachedIn = new Float64Array(tokens.length + 1);
  return { tokens, reachedIn, round: 0, reached: [], next: [] };
}

function follow(states: States, text: string, steps: Steps = { count: 0 }): boolean {
  const { tokens, reachedIn } = states;
  startRound(states);
  reach(states, 0);
  for (let at = 0; at < text.length; at += 1) {
    startRound(states);
    steps.count += states.reached.length;
    for (const state of states.reached) step(states, state, text[at] ?? "");
    if (states.next.length === 0) return false;
  }
  return reachedIn[tokens.length] === states.round;
}

function startRound(states: States): void {
  const { reached } = states;
  states.reached = states.next;
  reached.length = 0;
  states.next = reached;
  states.round += 1;
}

/** A star may match nothing, and `**` with its slash no folder. */
function reach({ tokens, reachedIn, round, next }: States, first: number): void {
  for (let state = first; reachedIn[state] !== round; state += 1) {
    reachedIn[state] = round;
    next.push(state);
    const kind = tokens[state]?.kind;
    if (kind === "folders") {
      state += 1;
      if (reachedIn[state] !== round) next.push(state);
      reachedIn[state] = round;
    } else if (kind !== "star" && kind !== "deep" && kind !== "low") return;
  }
}

function step(states: States, state: number, letter: string): void {
  const token = states.tokens[state];
  switch (token?.kind) {
    case "letter":
      if (token.letter === letter) reach(states, state + 1);
      return;
    case "star":
      if (letter !== "/") reach(states, state);
      return;
    case "one":
      if (letter !== "/") reach(states, state + 1);
      return;
    case "class":
      if (letter !== "/" && token.members.test(letter)) reach(states, state + 1);
      return;
    case "low":
      if (/[\udc00-\udfff]/.test(letter)) reach(states, state + 1);
      return;
    case "inside":
      reach(states, state);
      if (letter === "/") reach(states, state + 1);
      return;
    case "deep":
      reach(states, state);
  }
}
