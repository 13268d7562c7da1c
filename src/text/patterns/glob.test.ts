import { describe, expect, test } from "vitest";
import { openPathGlob } from "./glob.ts";

describe("path globs", () => {
  test.each([
    ["docs/**/*.md", "/home/me/docs/a.md", true],
    ["docs/**/*.md", "/home/me/docs/deep/er/a.md", true],
    ["docs/**/*.md", "/home/me/mydocs/a.md", false],
    ["docs/**/*.md", "/home/me/docs/a.txt", false],
    ["*.md", "/home/me/a.md", true],
    ["*.md", "notes.md", true],
    ["docs/*.md", "/docs/deep/a.md", false],
    ["/home/*/docs/**", "/home/me/docs/a/b.md", true],
    ["/docs/*.md", "/home/docs/a.md", false],
    ["docs/**", "/home/docs/a/b", true],
    ["report-20??.pdf", "/x/report-2024.pdf", true],
    ["report-20??.pdf", "/x/report-20/4.pdf", false],
    ["a.zip!/**/*.txt", "/tmp/a.zip!/b/c.txt", true],
    ["example.com/**", "https://example.com/a/b", true],
    ["[a].md", "/x/[a].md", true],
  ])("%s on %s: %s", (pattern, path, isMatch) => {
    expect(openPathGlob(pattern)(path)).toBe(isMatch);
  });

  test("a hostile pattern takes at most its length times the text's", () => {
    const matches = openPathGlob(`${"*a".repeat(200)}b`);
    expect(matches(`${"a".repeat(3_000)}c`)).toBe(false);
    expect(matches(`${"a".repeat(3_000)}xb`)).toBe(false);
  });
});
