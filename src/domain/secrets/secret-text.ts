// Looks for private keys and well-known tokens in text of any length, piece by piece. Linear: each mark is looked at
// once, and what is looked at behind it is bounded.
import { KEY_CHARACTERS, KEY_MARKS, keyAt } from "./private-keys.ts";
import { looksRandom, TOKENS, type TokenKind } from "./secret-tokens.ts";

export interface SecretScan {
  /** What kind of secret has been seen so far, or undefined. */
  push(text: string): string | undefined;
  end(): string | undefined;
}

export interface SecretScanOptions {
  /** `bytes`: the raw file. `text`: what people read in it. */
  readonly of: "bytes" | "text";
}

interface Form extends TokenKind {
  readonly pattern: RegExp;
}

const literally = (mark: string) => mark.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const FORMS: ReadonlyMap<string, Form> = new Map(
  TOKENS.map((token) => [token.mark, { ...token, pattern: new RegExp(token.form, "y") }]),
);
/** Names that are not secret themselves, but mark the secret next to them. */
const IDS = ["A[KS]IA[A-Z2-7]{16}(?![A-Z0-9])", "AC[a-f0-9]{32}(?![A-Za-z0-9])"];
const COOKIES = "# Netscape HTTP Cookie File";
const OWN_WORDS = TOKENS.filter(({ before }) => before === undefined).map(({ mark }) => mark);
const INSIDE_WORDS = TOKENS.filter(({ before }) => before !== undefined).map(({ mark }) => mark);
const MARKS = new RegExp(
  `(?<![A-Za-z0-9_-])(?:${[...OWN_WORDS.map(literally), ...IDS].join("|")})|${[
    ...INSIDE_WORDS,
    ...KEY_MARKS,
    COOKIES,
  ]
    .map(literally)
    .join("|")}`,
  "g",
);
const AWS_SECRET = /(?<![A-Za-z0-9/+=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/g;
const TWILIO_SECRET = /auth[_ -]?token\W{1,20}([a-f0-9]{32})(?![A-Za-z0-9])/gi;
const COOKIE_LINE = /\n[^\t\n]{1,300}\t(?:TRUE|FALSE)\t[^\t\n]{0,300}\t(?:TRUE|FALSE)\t\d/;
/** How far around an id its secret is looked for. */
const NEAR = 400;
/** The amount of new text that is worth a scan. */
const PIECE = 65_536;

export function openSecretScan({ of }: SecretScanOptions): SecretScan {
  const state = { pending: [] as string[], size: 0, text: "", from: 0, found: "" };

  const look = (isLast: boolean) => {
    // Text in UTF-16 shows its ASCII once the zeros are gone.
    const text = state.text + state.pending.join("").replaceAll("\0", "");
    const until = isLast ? text.length : Math.max(state.from, text.length - KEY_CHARACTERS);
    state.found = findSecret(text, { from: state.from, until, of }) ?? "";
    const kept = Math.max(0, until - NEAR);
    Object.assign(state, { pending: [], size: 0, text: text.slice(kept), from: until - kept });
  };

  return {
    push(text) {
      if (state.found !== "") return state.found;
      state.pending.push(text);
      state.size += text.length;
      if (state.size >= PIECE) look(false);
      return state.found || undefined;
    },
    end() {
      if (state.found === "") look(true);
      return state.found || undefined;
    },
  };
}

interface Stretch extends SecretScanOptions {
  readonly from: number;
  readonly until: number;
}

function findSecret(text: string, { from, until, of }: Stretch): string | undefined {
  const marks = new RegExp(MARKS);
  marks.lastIndex = from;
  for (let at = marks.exec(text); at !== null && at.index < until; at = marks.exec(text)) {
    const found = secretAt(text, at.index, at[0], of);
    if (found !== undefined) return found;
  }
  return undefined;
}

function secretAt(
  text: string,
  at: number,
  mark: string,
  of: SecretScanOptions["of"],
): string | undefined {
  const form = FORMS.get(mark);
  if (form !== undefined)
    return form.onlyInText && of === "bytes" ? undefined : tokenAt(text, at, form);
  if (mark.startsWith("A")) return pairAt(text, at, mark);
  // Up to the next mark of its kind, so many marks in a row cost no more than their length.
  const next = text.indexOf(mark, at + mark.length);
  const stretch = text.slice(at, Math.min(next < 0 ? text.length : next, at + KEY_CHARACTERS));
  if (mark !== COOKIES) return keyAt(stretch);
  return COOKIE_LINE.test(stretch) ? "a browser's cookies" : undefined;
}

function tokenAt(
  text: string,
  at: number,
  { name, mark, before, pattern }: Form,
): string | undefined {
  if (before !== undefined && !before.test(text.slice(Math.max(0, at - 64), at))) return undefined;
  pattern.lastIndex = at + mark.length;
  const body = pattern.exec(text)?.[1];
  return body !== undefined && looksRandom(body) ? name : undefined;
}

function pairAt(text: string, at: number, id: string): string | undefined {
  if (!looksRandom(id)) return undefined;
  const around = text.slice(Math.max(0, at - NEAR), at + NEAR);
  if (id.startsWith("AC")) {
    const tokens = [...around.matchAll(TWILIO_SECRET)].map(([, token = ""]) => token);
    return tokens.some(looksRandom) ? "a Twilio token" : undefined;
  }
  const isKey = (key: string) =>
    /[a-z]/.test(key) && /[A-Z]/.test(key) && /\d/.test(key) && looksRandom(key);
  return (around.match(AWS_SECRET) ?? []).some(isKey) ? "an AWS secret key" : undefined;
}
