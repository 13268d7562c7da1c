import fc from "fast-check";
import { expect, test } from "vitest";
import { parseTarget } from "./request-target.ts";

test.each([
  ["/", "/", ""],
  ["/mcp", "/mcp", ""],
  ["/mcp?", "/mcp", ""],
  ["/assets/app-1.js", "/assets/app-1.js", ""],
  [
    "/api/upload?filename=a%2Fb%20%5C..%E6%97%A5.txt",
    "/api/upload",
    "filename=a%2Fb%20%5C..%E6%97%A5.txt",
  ],
  [
    "/.well-known/oauth-protected-resource/caf%C3%A9",
    "/.well-known/oauth-protected-resource/caf%C3%A9",
    "",
  ],
  ["/a?b?c=/../", "/a", "b?c=/../"],
  ["/...", "/...", ""],
])("%s is read as it is", (raw, path, query) => {
  expect(parseTarget(raw)).toEqual({ path, query });
});

test.each([
  "",
  "*",
  "mcp",
  "?x",
  "//",
  "//evil.example/mcp",
  "http://localhost/mcp",
  "/.",
  "/..",
  "/a/./b",
  "/a/../b",
  "/a/..",
  "/a/%2e%2E/b",
  "/a/.%2e/b",
  "/a%2fb",
  "/a%5Cb",
  "/a\\b",
  "/a//b",
  "/a%252e",
  "/a%00",
  "/a?x=%00",
  "/a%0d%0aX:1",
  "/a%7f",
  "/a b",
  "/a\tb",
  "/a#b",
  "/a?x#b",
  "/a?x\\y",
  "/é",
  "/a%",
  "/a%2",
  "/a%zz",
  "/a?x=%zz",
  "/a%c0%ae",
  "/a?x=%ff",
  "/a{b}",
  "/a|b",
])("%j is refused", (raw) => {
  expect(parseTarget(raw)).toBeUndefined();
});

const PIECES = [
  "/",
  "//",
  ".",
  "..",
  "%2e",
  "%2E",
  "%2f",
  "%5c",
  "\\",
  "%00",
  "%",
  "%25",
  "?",
  "#",
  ";",
  "@",
  ":",
];

test("every URL parser reads an accepted target in the same way", () => {
  const part = fc.oneof(
    fc.constantFrom(...PIECES, "api", "assets", "mcp", "original", "%61", "%C3%A9"),
    fc.string({ maxLength: 3, unit: "binary-ascii" }),
  );
  const raws = fc.array(part, { maxLength: 12 }).map((parts) => `/${parts.join("")}`);
  let accepted = 0;
  fc.assert(
    fc.property(raws, (raw) => {
      const target = parseTarget(raw);
      if (!target) return;
      accepted += 1;
      const url = new URL(raw, "http://server");
      expect(url.host).toBe("server");
      expect(url.pathname).toBe(target.path);
      const segments = decodeURIComponent(target.path).split(/[/\\]/);
      expect(segments).toHaveLength(target.path.split("/").length);
      expect(segments).not.toContain("..");
      expect(segments).not.toContain(".");
    }),
    { numRuns: 5_000 },
  );
  expect(accepted).toBeGreaterThan(500);
});
