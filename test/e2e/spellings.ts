// Alternative spellings of a private path that have fooled servers: all may be refused, none may be served.
import type { Random } from "../../stress/fuzz/random.ts";

/** Places that are served without a token, and one that does not exist. */
const PUBLIC = [
  "",
  "/assets",
  "/assets/app.js",
  "/healthz",
  "/.well-known/oauth-protected-resource",
] as const;
const DOTS = ["..", ".%2e", "%2e.", "%2e%2e", "..;", "%252e%252e", "%c0%ae%c0%ae", "．．"] as const;
const SLASHES = ["/", "//", "\\", "%2f", "%5c", "/./", "%252f", "／"] as const;
const BEFORE = [
  "http://localhost",
  "https://evil.example",
  "//localhost",
  "//",
  "///",
  "\\",
  "\\\\",
  "/\\",
  "/;",
  "",
] as const;
const AFTER = [
  "",
  "/",
  "/.",
  "/..;/x",
  "?",
  "?a=/../",
  "#",
  "%00",
  "%20",
  "%09",
  ";x=1",
  "/%2e",
  "//",
] as const;
const METHODS = ["GET", "HEAD", "POST", "DELETE", "PUT"] as const;

export interface Spelling {
  readonly method: string;
  readonly address: string;
}

/** Every climb from a public place, every strange start and end: a product of tables. */
export function* tableOf(path: string): Generator<string> {
  for (const place of PUBLIC) {
    for (const dots of DOTS) {
      for (const slash of SLASHES) {
        yield `${place}${slash}${dots}${slash}${path.slice(1)}`;
        yield `${place}/${dots}${path.replaceAll("/", slash)}`;
      }
    }
  }
  for (const before of BEFORE) {
    for (const after of AFTER) yield `${before}${path}${after}`;
  }
}

/** Letters encoded by chance, cases changed, pieces of the tables put in anywhere. */
export function wildSpelling(random: Random, path: string): Spelling {
  const letters = [...path].map((letter) => {
    if (random.chance(0.1)) return encode(letter, random.chance(0.5));
    if (random.chance(0.05)) return letter.toUpperCase();
    return letter === "/" && random.chance(0.2) ? random.pick(SLASHES) : letter;
  });
  if (random.chance(0.5)) {
    const at = random.below(letters.length);
    letters.splice(at, 0, random.pick([...DOTS, ...SLASHES]));
  }
  const climb = random.chance(0.5) ? `${random.pick(PUBLIC)}/${random.pick(DOTS)}` : "";
  return {
    method: random.pick(METHODS),
    address: `${climb}${letters.join("")}${random.pick(AFTER)}`,
  };
}

function encode(letter: string, upper: boolean): string {
  const hex = letter.charCodeAt(0).toString(16).padStart(2, "0");
  return `%${upper ? hex.toUpperCase() : hex}`;
}
