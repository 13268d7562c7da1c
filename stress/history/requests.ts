// Random requests, and the text of the documents.
import { join } from "node:path";
import type { Random } from "../fuzz/random.ts";
import type { Request } from "./calls.ts";

const KEYS = ["k0.md", "k1.md", "k2.md", "k3.md"] as const;
export const RULES = ["r0", "r1"] as const;
const WORDS = "amber basin cliff delta ember fjord grove haven inlet jetty knoll lagoon".split(" ");

/** Its version is also its title, which lists of documents show. */
export function textOf(key: string, number: number): string {
  const words = Array.from(
    { length: 24 },
    (_, at) => WORDS[(number * 7 + at * at * number) % WORDS.length],
  );
  const front = `---\ntitle: v${number}\n---\n\n`;
  return `${front}${key} in version v${number} keeps ${wordOf(key)} safe: ${words.join(" ")}.`;
}

function wordOf(key: string): string {
  return `harbour${key.slice(1, 2)}`;
}

export function chooseRequest(
  random: Random,
  files: string,
  taken: ReadonlySet<string>,
): { readonly request: Request; readonly key: string } {
  const key = random.pick(KEYS);
  const rule = random.pick(RULES);
  const path = join(files, key);
  const dice = random.next();
  if (dice < 0.3 && !taken.has(key)) return { key, request: { kind: "put", path, key } };
  if (dice < 0.42) return { key, request: { kind: "remove", path, key } };
  if (dice < 0.45) return { key: "", request: { kind: "clear" } };
  if (dice < 0.58) return { key, request: { kind: "read", path, key } };
  if (dice < 0.66) return { key: "", request: { kind: "list" } };
  if (dice < 0.8) return { key, request: { kind: "search", text: wordOf(key) } };
  if (dice < 0.87)
    return {
      key: rule,
      request: { kind: "put-rule", keyword: rule, content: `c${random.below(1e9)}` },
    };
  if (dice < 0.9) return { key: rule, request: { kind: "remove-rule", keyword: rule } };
  return { key: rule, request: { kind: "read-rule", keyword: rule } };
}
