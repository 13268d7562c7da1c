// A mailbox is read mail by mail: each with its own name and bytes, duplicates once.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { tempFolder } from "../../../test/support/temp-folder.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import { openMbox } from "./mbox-file.ts";

const folder = tempFolder("mbox");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const FROM = "From ann@example.com Mon Mar  2 10:00:00 2026";
const mail = (subject: string, body: string, id = `<${subject}@example.com>`) =>
  `${FROM}\nMessage-ID: ${id}\nDate: Mon, 2 Mar 2026 10:00:00 +0000\nSubject: ${subject}\n\n${body}\n\n`;

async function mailsOf(content: string | Buffer, limits = DEFAULT_LIMITS) {
  const path = join(folder, "in.mbox");
  writeFileSync(path, content);
  const { entries, close } = await openMbox(path, limits);
  const mails = new Map<string, string>();
  for (const { name, read } of entries)
    for await (const bytes of read()) mails.set(name, Buffer.from(bytes).toString());
  close();
  return mails;
}

test("mails are named by date and subject, and begin with their headers", async () => {
  const mails = await mailsOf(
    mail("Masts/painted", "In autumn.") + mail("=?utf-8?B?5bGx?=", "Yes."),
  );
  expect([...mails.keys()]).toEqual(["2026-03-02 Masts painted.eml", "2026-03-02 山.eml"]);
  expect([...mails.values()][0]).toMatch(/^Message-ID: .*\n\nIn autumn\.\n\n$/s);
});

test("a line of text that begins with From does not end a mail, and its mark is removed", async () => {
  const body =
    "From here on it rains.\n\n>From ann@example.com Mon Mar  2 10:00:00 2026\n\nFrom time to time.";
  const [text] = [...(await mailsOf(mail("Rain", body))).values()];
  expect(text).toContain(body.replace(">", ""));
});

test("a mail that is there twice is listed once; others of its name are numbered", async () => {
  const twice = mail("Rain", "It rains.").repeat(2) + mail("Rain", "Again.", "<2@example.com>");
  expect([...(await mailsOf(twice)).keys()]).toEqual([
    "2026-03-02 Rain.eml",
    "2026-03-02 Rain (2).eml",
  ]);
});

test("mails across the pieces in which the file is read are whole", async () => {
  const bodies = Array.from({ length: 7 }, (_, at) => `${at}`.repeat(300_000 + at));
  const mails = await mailsOf(bodies.map((body, at) => mail(`Mail ${at}`, body)).join(""));
  expect([...mails.values()].map((text) => text.split("\n\n")[1])).toEqual(bodies);
});

test("a file that is no mailbox, or has too many mails, is refused", async () => {
  await expect(mailsOf("Just a note.\n")).rejects.toMatchObject({ code: "CORRUPT_FILE" });
  const limits = { ...DEFAULT_LIMITS, zipEntries: 2 };
  const many = [1, 2, 3].map((at) => mail(`Mail ${at}`, "Hello.")).join("");
  await expect(mailsOf(many, limits)).rejects.toMatchObject({ code: "EXTRACTION_LIMIT" });
});
