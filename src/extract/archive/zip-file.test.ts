import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeZip, type ZipParts } from "../../../test/support/files/zip.ts";
import { tempFolder } from "../../../test/support/temp-folder.ts";
import { openZip, type ZipEntry } from "./zip-file.ts";

const LIMITS = { zipEntries: 3, zipEntryBytes: 1_000, zipTotalBytes: 1_500 };
const folder = tempFolder("zip-file");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (bytes: Buffer) => {
  const path = join(folder, "a.zip");
  writeFileSync(path, bytes);
  return path;
};
const open = (parts: ZipParts) => openZip(write(makeZip(parts)), LIMITS);
const read = async (entry: ZipEntry | undefined) => {
  const parts: Uint8Array[] = [];
  for await (const part of entry?.read() ?? []) parts.push(part);
  return Buffer.concat(parts).toString();
};

test("each entry, and all together, are limited while they are read", async () => {
  const zip = await open({ a: "x".repeat(900), b: "y".repeat(900), c: "z".repeat(1_001) });
  const [a, b, c] = zip.entries;
  expect(await read(a)).toBe("x".repeat(900));
  await expect(read(b)).rejects.toMatchObject({ code: "EXTRACTION_LIMIT" });
  zip.close();
  const again = await openZip(join(folder, "a.zip"), { ...LIMITS, zipTotalBytes: 9_000 });
  await expect(read(again.entries[2])).rejects.toMatchObject({ code: "EXTRACTION_LIMIT" });
  again.close();
  expect(c?.sizeBytes).toBe(1_001);
});

test("an archive with too many entries is refused", async () => {
  await expect(open({ a: "", b: "", c: "", d: "" })).rejects.toMatchObject({
    code: "EXTRACTION_LIMIT",
  });
});

test("UTF-8 names are recognised, whether or not the archive declares them", async () => {
  const bytes = makeZip({ "議事録 ü.txt": "x" });
  const mark = bytes.indexOf("PK\u0001\u0002");
  for (const flags of [0x800, 0]) {
    bytes.writeUInt16LE(flags, mark + 8);
    const zip = await openZip(write(bytes), LIMITS);
    expect(zip.entries.map(({ name }) => name)).toEqual(["議事録 ü.txt"]);
    zip.close();
  }
});
