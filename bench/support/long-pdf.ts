// A PDF of many pages of running text, made without a library: enough of the format for any reader.
const LINES = 45;

export function longPdf(pages: number): Buffer {
  const objects: string[] = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Count ${pages} /Kids [${range(pages, (n) => `${4 + 2 * n} 0 R`).join(" ")}] >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  for (let page = 0; page < pages; page += 1) {
    const content = pageContent(page);
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${5 + 2 * page} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    );
  }
  return assemble(objects);
}

function pageContent(page: number): string {
  const lines = range(LINES, (line) => {
    const n = page * LINES + line;
    return `(Entry ${n}: valve ${n % 211} of pump ${n % 97} was opened at ${n % 24} h and held for ${n % 60} minutes.) Tj T*`;
  });
  return `BT /F1 10 Tf 14 TL 50 790 Td\n${lines.join("\n")}\nET`;
}

function assemble(objects: readonly string[]): Buffer {
  let text = "%PDF-1.4\n";
  const offsets = objects.map((object, at) => {
    const offset = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = text.length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`);
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows.join("")}`;
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, "latin1");
}

function range<Item>(length: number, make: (n: number) => Item): Item[] {
  return Array.from({ length }, (_, n) => make(n));
}
