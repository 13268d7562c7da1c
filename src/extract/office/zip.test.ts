import { describe, expect, test } from "vitest";
import { makeZip } from "../../../test/support/files/zip.ts";
import { openArchive } from "./zip.ts";

const LIMITS = { zipEntries: 5, zipEntryBytes: 1_000, zipTotalBytes: 1_500 };

describe("an archive", () => {
  test("is read though its comment length is wrong or bytes follow it", async () => {
    const zip = makeZip({ "a.xml": "<a/>" });
    const wrong = Buffer.from(zip);
    wrong.writeUInt16LE(77, wrong.length - 2);
    for (const bytes of [wrong, Buffer.concat([zip, Buffer.from("trailing")])]) {
      expect(String(await (await openArchive(bytes, LIMITS)).read("/A.xml"))).toBe("<a/>");
    }
  });

  test("stops inflating at the limit of an entry and of all together", async () => {
    const archive = await openArchive(
      makeZip({ a: "x".repeat(900), b: "x".repeat(900), c: "x".repeat(2_000) }),
      LIMITS,
    );
    await expect(archive.read("c")).rejects.toMatchObject({ code: "EXTRACTION_LIMIT" });
    expect(await archive.read("a")).toHaveLength(900);
    await expect(archive.read("b")).rejects.toMatchObject({ code: "EXTRACTION_LIMIT" });
  });

  test("has a part that is packed in a way that no office program uses", async () => {
    const zip = makeZip({ a: "<a/>" });
    for (const mark of ["PK\u0001\u0002", "PK\u0003\u0004"]) {
      const at = zip.indexOf(mark, 0, "latin1") + (mark.endsWith("\u0002") ? 10 : 8);
      zip.writeUInt16LE(12, at);
    }
    const archive = await openArchive(zip, LIMITS);
    await expect(archive.read("a")).rejects.toMatchObject({ code: "CORRUPT_FILE" });
  });

  test("is refused with too many entries, or when it is cut short", async () => {
    const many = makeZip(Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`f${at}`, ""])));
    await expect(openArchive(many, LIMITS)).rejects.toMatchObject({ code: "EXTRACTION_LIMIT" });
    await expect(openArchive(many.subarray(0, 40), LIMITS)).rejects.toMatchObject({
      code: "CORRUPT_FILE",
    });
  });
});
