import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isAllowed } from "./robots.ts";

const ROBOTS = `
User-agent: other
Disallow: /

User-agent: *
Disallow: /private/ # and below
Allow: /private/open
Disallow: /*.zip$
`;

describe("robots.txt", () => {
  test.each([
    ["/", true],
    ["/private/", false],
    ["/private/open/page", true],
    ["/a/b.zip", false],
    ["/a/b.zip?x", true],
  ])("%s: %s", (path, isOpen) => {
    expect(isAllowed(ROBOTS, path)).toBe(isOpen);
  });

  test("rules that name us take precedence over those for all", () => {
    const named = "User-agent: knowledge-server\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n";
    expect([isAllowed(named, "/a"), isAllowed(named, "/b")]).toEqual([false, true]);
  });

  test("an empty one and a meaningless one allow everything", () => {
    for (const text of ["", "<html>no</html>", "Disallow: /", "User-agent: *\nDisallow:"])
      expect(isAllowed(text, "/page")).toBe(true);
  });

  test("a rule matches as its regular expression would", () => {
    const piece = fc.string({ unit: fc.constantFrom("a", "b", "/", "*"), maxLength: 8 });
    const path = fc.string({ unit: fc.constantFrom("a", "b", "/"), maxLength: 12 });
    fc.assert(
      fc.property(piece, path, fc.boolean(), (rule, rest, isWhole) => {
        const body = rule.replaceAll("*", ".*");
        const expected = new RegExp(`^/${body}${isWhole ? "$" : ""}`).test(`/${rest}`);
        const robots = `User-agent: *\nDisallow: /${rule}${isWhole ? "$" : ""}`;
        expect(isAllowed(robots, `/${rest}`)).toBe(!expected);
      }),
      { numRuns: 3_000 },
    );
  });
});
