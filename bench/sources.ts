// CPU of syncing a site against adding the same pages as files: node bench/sources.ts FOLDER [PAGES]. The folder has
// HTML pages; each becomes a page of a site on this machine. Uses the built program.
import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const [from = "/usr/share/doc", most = "500"] = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), "bench-sources-"));
const files = join(work, "files");
mkdirSync(files);

const toGreek = (text: string) =>
  text.replace(/[a-z]/g, (letter) => String.fromCharCode(0x3b1 + (letter.charCodeAt(0) % 24)));

const pages = new Map<string, Buffer>();
const seen = new Set<string>();
for (const name of readdirSync(from, { recursive: true, encoding: "utf8" })) {
  if (pages.size >= Number(most) || !name.endsWith(".html")) continue;
  // In Greek letters, which only the light encoder reads: `add` runs the model at its end, a sync leaves it to servers.
  const bytes = Buffer.from(readFileSync(join(from, name), "utf8").replace(/>[^<]+/g, toGreek));
  const hash = createHash("sha256").update(bytes).digest("hex");
  if (bytes.length < 500 || bytes.length > 500_000 || seen.has(hash)) continue;
  seen.add(hash);
  pages.set(`${pages.size}.html`, bytes);
}
for (const [name, bytes] of pages) writeFileSync(join(files, name), bytes);

const server = createServer((request, response) => {
  const name = (request.url ?? "").slice(1);
  const list = [...pages.keys()].map((each) => `<a href="${each}">${each}</a>`).join("\n");
  const body = name === "" ? Buffer.from(`<h1>Pages</h1>${list}`) : pages.get(name);
  if (!body) return void response.writeHead(404).end();
  const etag = `"${createHash("sha256").update(body).digest("hex").slice(0, 16)}"`;
  const isSame = request.headers["if-none-match"] === etag;
  response.writeHead(isSame ? 304 : 200, { etag, "content-type": "text/html" });
  response.end(isSame ? "" : body);
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
const run = promisify(execFile);

/** Seconds of CPU of the program and all its processes. */
async function cpu(...args: readonly string[]): Promise<number> {
  const script = `"$@" > /dev/null 2>&1; times`;
  const { stdout } = await run("bash", [
    "-c",
    script,
    "bash",
    process.execPath,
    "bin/knowledge-server.js",
    ...args,
  ]);
  const [, children = ""] = stdout.trim().split("\n");
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, m, s]) => sum + Number(m) * 60 + Number(s),
    0,
  );
}

const data = (name: string) => ["--data-dir", join(work, name)];
const added = await cpu("add", files, ...data("files-data"));
const site = ["sources", "add", `http://${host}/`, "--allow-host", host];
const synced = await cpu(...site, ...data("site-data"));
const again = await cpu("sources", "sync", ...data("site-data"));
const idle = await cpu("sources", "list", ...data("site-data"));
const per = (seconds: number) => Math.round(((seconds - idle) / pages.size) * 1000 * 10) / 10;
const listed = execFileSync(process.execPath, [
  "bin/knowledge-server.js",
  ...["sources", "list", "--json", ...data("site-data")],
]);
const report = {
  pages: pages.size,
  items: JSON.parse(listed.toString())[0].items,
  addMs: per(added),
  syncMs: per(synced),
  againMs: per(again),
  ratio: Math.round(((synced - idle) / (added - idle)) * 100) / 100,
};
process.stdout.write(`${JSON.stringify(report)}\n`);
server.close();
rmSync(work, { recursive: true, force: true });
