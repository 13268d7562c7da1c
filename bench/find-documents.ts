// Real files through the program itself: is the phrase that answers a question among the first five results?
//   node bench/find-documents.ts --data ../shared/data [--base DIR] [--out FILE]
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { openApp } from "../src/app.ts";
import { loadConfig } from "../src/config/config.ts";
import { openLog } from "../src/observe/log.ts";

interface Question {
  readonly file: string;
  readonly question: string;
  readonly phrase: string;
  readonly also: readonly string[];
  readonly page?: number | null;
  readonly sheet?: string | null;
  readonly ocr: boolean;
}

interface Found {
  readonly filename: string;
  readonly chunk_text: string;
  readonly metadata: { readonly page_num?: number; readonly sheet?: string };
}

const { values } = parseArgs({
  options: { data: { type: "string" }, base: { type: "string" }, out: { type: "string" } },
});
if (values.data === undefined) throw new Error("--data DIR is needed");
const folder = resolve(values.data, "documents");
const base = values.base ?? (await mkdtemp(join(tmpdir(), "find-documents-")));
const place = { env: {}, cwd: folder, home: base, platform: process.platform };
const config = await loadConfig({ "data-dir": join(base, "data"), root: [folder] }, place);
const app = await openApp(config, openLog({ level: "warn" }));
const { signal } = new AbortController();
const print = (line: string) => process.stdout.write(`${line}\n`);

const call = async <Payload>(name: string, args: object): Promise<Payload> =>
  (await app.call(name, args, { signal })).payload as Payload;

/** As the questions were made: full-width and half-width alike, without case and white space. */
const plain = (text: string) => text.normalize("NFKC").toLowerCase().replace(/\s+/g, "");

async function addAll(): Promise<number> {
  const { files } = await app.operations.filesBelow(join(folder, "files"), signal);
  const queue = [...files];
  const began = performance.now();
  const work = async () => {
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      const added = await call<{ success: boolean }>("knowledge-add", {
        file_path: path,
        async: false,
      });
      if (!added.success) print(`${path}: ${JSON.stringify(added)}`);
    }
  };
  await Promise.all([work(), work()]);
  return performance.now() - began;
}

async function ask({ question, phrase, also, page, sheet, file }: Question) {
  const { results } = await call<{ results: readonly Found[] }>("knowledge-search", {
    query: question,
    top_k: 5,
    min_relevance: 0,
    max_chars: 10_000,
  });
  const wanted = [phrase, ...also].map(plain);
  const rank = results.findIndex(({ chunk_text }) =>
    wanted.every((part) => plain(chunk_text).includes(part)),
  );
  const hit = results[rank];
  const isPlaced = page != null || sheet != null;
  const rightPlace = page != null ? hit?.metadata.page_num === page : hit?.metadata.sheet === sheet;
  return { hit: rank >= 0, rank, isPlaced, rightPlace, rightFile: hit?.filename === file };
}

type Answer = { readonly question: Question } & Awaited<ReturnType<typeof ask>>;

const addedMs = await addAll();
const lines = (await readFile(join(folder, "questions.jsonl"), "utf8")).trim().split("\n");
const questions = lines.map((line) => JSON.parse(line) as Question);
const answers: Answer[] = [];
for (const question of questions) answers.push({ question, ...(await ask(question)) });
await app.close();
if (values.base === undefined) await rm(base, { recursive: true, force: true });

const share = (all: readonly boolean[]) =>
  `${all.filter(Boolean).length}/${all.length} = ${((100 * all.filter(Boolean).length) / all.length).toFixed(1)} %`;
const of = (ocr: boolean) => answers.filter(({ question }) => question.ocr === ocr);
const figures = {
  text_in_top_5: share(of(false).map(({ hit }) => hit)),
  ocr_in_top_5: share(of(true).map(({ hit }) => hit)),
  first: share(answers.map(({ rank }) => rank === 0)),
  right_page_of_hits: share(
    answers.filter(({ hit, isPlaced }) => hit && isPlaced).map(({ rightPlace }) => rightPlace),
  ),
  add_seconds: Math.round(addedMs / 1000),
};
for (const [name, value] of Object.entries(figures)) print(`${name.padEnd(20)} ${value}`);
for (const { question, hit, rank, isPlaced, rightPlace } of answers) {
  const { file, phrase } = question;
  if (!hit) print(`missed: ${file} | ${question.question} | ${phrase}`);
  else if (isPlaced && !rightPlace) print(`wrong place: ${file} | rank ${rank + 1} | ${phrase}`);
}
if (values.out !== undefined) await writeFile(values.out, `${JSON.stringify(figures, null, 2)}\n`);
