// Photographed and scanned receipts: are the company, the date and the total in the text that is read?
//   node bench/receipts.ts --data DIR [--show] [--worse blur|thermal|turned] [--files 30]
// DIR/receipts: img/NAME.jpg, key/NAME.json. With --worse, copies that are out of focus, faded, or photographed askew.
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, parse } from "node:path";
import { parseArgs } from "node:util";
import { openExtract } from "../src/extract/extract.ts";
import { openLog } from "../src/observe/log.ts";

const { values } = parseArgs({
  options: {
    data: { type: "string", default: "../shared/data" },
    show: { type: "boolean" },
    worse: { type: "string" },
    files: { type: "string", default: "30" },
  },
});
const folder = join(values.data, "receipts");
const FIELDS = ["company", "date", "total"] as const;
const print = (line: string) => process.stdout.write(`${line}\n`);
const extract = openExtract({
  childUrl: new URL("../src/extract/sandbox/child.ts", import.meta.url),
  ocr: { dataDir: join(import.meta.dirname, "..", "ocr-data"), languages: ["eng"] },
  log: openLog({ level: "error" }),
});

/** Letters and digits alone: OCR parts words as it likes. */
const squeezed = (text: string) =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}.]/gu, "");

const worseFolder = mkdtempSync(join(tmpdir(), "knowledge-receipts-"));

/** How a copy is drawn: `filter` as in CSS, `angle` in radians. */
const WORSE: Readonly<Record<string, { readonly filter: string; readonly angle: number }>> = {
  blur: { filter: "blur(1.2px)", angle: 0 },
  thermal: { filter: "grayscale(1) contrast(0.35) brightness(1.35)", angle: 0 },
  turned: { filter: "none", angle: 0.06 },
};

async function worsened(path: string): Promise<string> {
  const how = WORSE[values.worse ?? ""];
  if (how === undefined) return path;
  const { createCanvas, loadImage } = await import("@napi-rs/canvas");
  const picture = await loadImage(path);
  const { width, height } = picture;
  const canvas = createCanvas(width, height);
  const context = canvas.getContext("2d");
  context.fillStyle = "#d8d4cc";
  context.fillRect(0, 0, width, height);
  context.translate(width / 2, height / 2);
  context.rotate(how.angle);
  context.filter = how.filter;
  context.drawImage(picture, -width / 2, -height / 2);
  const copy = join(worseFolder, parse(path).base);
  writeFileSync(copy, await canvas.encode("jpeg", 80));
  return copy;
}

const found = { company: 0, date: 0, total: 0 };
const names = (await readdir(join(folder, "img"))).sort().slice(0, Number(values.files));
const before = process.cpuUsage();
for (const name of names) {
  const path = await worsened(join(folder, "img", name));
  const key = JSON.parse(
    await readFile(join(folder, "key", `${parse(name).name}.json`), "utf8"),
  ) as Record<string, string>;
  const read = await extract
    .extract({
      path,
      filename: name,
      forceOcr: false,
      sizeBytes: statSync(path).size,
      caller: "bench",
    })
    .catch((error: unknown) => ({ text: String(error) }));
  const text = squeezed(read.text);
  const missing = FIELDS.filter(
    (field) => !text.includes(squeezed(key[field] ?? "").replace(/\.$/, "")),
  );
  for (const field of FIELDS) if (!missing.includes(field)) found[field] += 1;
  if (values.show && missing.length > 0)
    print(
      `${name}: ${missing.map((field) => `${field} ${key[field]}`).join("; ")}\n   ${read.text.slice(0, 220).replaceAll("\n", " / ")}`,
    );
}
await extract.close();
rmSync(worseFolder, { recursive: true });
for (const field of FIELDS)
  print(
    `${field.padEnd(8)} ${found[field]} of ${names.length} (${(found[field] / names.length).toFixed(2)})`,
  );
print(`${(process.cpuUsage(before).user / 1e6).toFixed(1)} s of computing in this process`);
