// How often real text is taken for a secret: node bench/secret-text.ts FOLDER…
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { openSecretScan } from "../src/domain/secrets/secret-text.ts";

const PIECE = 65_536;

function look(text: string, of: "bytes" | "text"): string | undefined {
  const scan = openSecretScan({ of });
  for (let at = 0; at < text.length; at += PIECE) scan.push(text.slice(at, at + PIECE));
  return scan.end();
}

const seen = { files: 0, bytes: 0, taken: 0 };
for (const folder of process.argv.slice(2)) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const stored = await readFile(path);
    const bytes = path.endsWith(".gz") ? gunzipSync(stored) : stored;
    seen.files += 1;
    seen.bytes += bytes.length;
    const kind = look(bytes.toString("latin1"), "bytes") ?? look(bytes.toString("utf8"), "text");
    if (kind === undefined) continue;
    seen.taken += 1;
    process.stdout.write(`${path}: ${kind}\n`);
  }
}
const megabytes = Math.round(seen.bytes / 1_000_000);
process.stdout.write(`${seen.files} files, ${megabytes} MB, ${seen.taken} taken for secrets\n`);
