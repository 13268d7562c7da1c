// A Markdown file's YAML metadata between two `---` lines. It stays part of the text too.
import type { Metadata } from "../../domain/document.ts";

// Far more than people write; the metadata's own limits are checked where it is stored.
const MAX_LENGTH = 16_000;
const BLOCK = /^---[ \t]*\n([\s\S]*?)\n(?:---|\.\.\.)[ \t]*(?:\n|$)/;

/** Undefined if the text has no front matter, or it is not a map in plain YAML. */
export async function readFrontMatter(text: string): Promise<Metadata | undefined> {
  if (!text.startsWith("---")) return undefined;
  const block = BLOCK.exec(text.slice(0, MAX_LENGTH))?.[1];
  if (block === undefined) return undefined;
  // A CommonJS package has its names on the default export, bundled or not.
  const { default: yaml } = await import("yaml");
  try {
    // Aliases are refused, because a few lines of them can expand to gigabytes.
    const found: unknown = yaml.parse(block, { maxAliasCount: 0, logLevel: "error" });
    const isMap = typeof found === "object" && found !== null && !Array.isArray(found);
    return isMap ? { ...found } : undefined;
  } catch {
    return undefined;
  }
}

const MAX_TITLE_AT = 4_000;

/** The value of `title:` in YAML front matter. */
export function frontMatterTitle(text: string): string | undefined {
  if (!text.startsWith("---\n")) return;
  const found = /^title:(.+)$/m.exec(text.slice(0, MAX_TITLE_AT));
  if (found === null || text.indexOf("\n---", 4) < found.index) return;
  return found[1]?.trim().replace(/^(["'])(.*)\1$/, "$2");
}
