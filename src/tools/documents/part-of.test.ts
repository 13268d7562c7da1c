import { describe, expect, test } from "vitest";
import { readHere } from "../../../test/support/read-here.ts";
import { cutToFit, headingsOf, pageSpan, sectionSpan, widenTo } from "./part-of.ts";

const TEXT =
  "# Boats\n\nIntro.\n\n## Sails\n\nCanvas is strong.\n\n### Care\n\nDry them.\n\n## Oars\n\nAsh wood.";

const slice = ({ text }: { text: string }, span: { start: number; end: number } | undefined) =>
  span === undefined ? undefined : text.slice(span.start, span.end).trim();

describe("a part of a document", () => {
  test("is a section up to the next heading of its level", async () => {
    const document = await readHere("boats.md", TEXT);
    expect(slice(document, sectionSpan(document, "sails"))).toBe(
      "## Sails\n\nCanvas is strong.\n\n### Care\n\nDry them.",
    );
    expect(slice(document, sectionSpan(document, "Oar"))).toBe("## Oars\n\nAsh wood.");
    expect(sectionSpan(document, "Anchors")).toBeUndefined();
    expect(headingsOf(document)).toEqual(["Boats", "Sails", "Care", "Oars"]);
  });

  test("is the whole where there are no pages, and nothing for a page that is not there", async () => {
    const document = await readHere("boats.md", TEXT);
    expect(slice(document, pageSpan(document, "1"))).toBe(TEXT);
    expect(pageSpan(document, "2")).toBeUndefined();
  });

  test("is cut where a block ends", async () => {
    const document = await readHere("boats.md", TEXT);
    const whole = { start: 0, end: document.text.length };
    expect(slice(document, cutToFit(document, whole, 60))).toBe(
      "# Boats\n\nIntro.\n\n## Sails\n\nCanvas is strong.\n\n### Care",
    );
    expect(cutToFit(document, whole, 10_000)).toEqual(whole);
  });

  test("around a chunk begins and ends at blocks", async () => {
    const document = await readHere("boats.md", TEXT);
    const start = document.text.indexOf("Canvas");
    const around = widenTo(document, { start, end: start + 17 }, 50);
    expect(slice(document, around)).toBe("## Sails\n\nCanvas is strong.\n\n### Care");
  });
});
