import { expect, test } from "vitest";
import { readHere } from "../../../test/support/read-here.ts";

/** Each part is inside the previous one; the innermost is text. */
function nestedMail(depth: number): string {
  const heads = Array.from(
    { length: depth },
    (_, at) => `Content-Type: multipart/mixed; boundary="b${at}"\r\n\r\n--b${at}\r\n`,
  );
  const ends = Array.from({ length: depth }, (_, at) => `--b${depth - 1 - at}--\r\n`);
  const text = "Content-Type: text/plain\r\n\r\nThe ferry leaves at six.\r\n";
  return `From: a@example.org\r\nSubject: Nested\r\n${heads.join("")}${text}${ends.join("")}`;
}

test("nested parts are read", async () => {
  expect((await readHere("mail.eml", nestedMail(20))).text).toContain("The ferry leaves at six.");
});

test("parts that are nested too deeply are named as the reason", async () => {
  await expect(readHere("mail.eml", nestedMail(1_000))).rejects.toMatchObject({
    code: "EXTRACTION_LIMIT",
    message: "The file was refused: its parts are nested more than 40 deep.",
  });
});

test("headers without end are named as the reason", async () => {
  const mail = `From: a@example.org\r\nSubject: ${"x".repeat(3_000_000)}\r\n\r\nText.`;
  await expect(readHere("mail.eml", mail)).rejects.toMatchObject({
    code: "EXTRACTION_LIMIT",
    message: "The file was refused: the headers of one part are larger than 2 MB.",
  });
});
