import { afterAll, expect, test } from "vitest";
import { extractSamples } from "../fixtures/extract-samples.ts";
import { tempExtract } from "../support/temp-extract.ts";
import { extractSuite } from "./extract.suite.ts";

const extract = await tempExtract();
afterAll(() => extract.close());

for (const sample of await extractSamples()) extractSuite(sample, extract);

test("a file over the size limit is refused", async () => {
  const small = await tempExtract({ limits: { fileBytes: 16 } });
  const reading = small.read("notes.txt", "More than sixteen bytes of text.");
  await expect(reading).rejects.toMatchObject({
    code: "FILE_TOO_LARGE",
    details: { max_size_mb: 1 },
  });
  await small.close();
});

test("a file with a wrong extension is read by its content, with a warning", async () => {
  for (const { format, bytes } of await extractSamples()) {
    if (!["docx", "xlsx", "pdf", "html"].includes(format)) continue;
    const document = await extract.read("picture.png", bytes);
    expect(document.format).toBe(format);
    expect(document.warnings[0]?.code).toBe("otherName");
  }
});
