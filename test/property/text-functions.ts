// Every way by which untrusted text enters: through the door of its room where that reaches all that read it, else by the
// function itself. What is not reached from here is not tested to be linear.
import { cite, findQuote } from "../../src/answer/citations.ts";
import { addressesModel } from "../../src/answer/model/injection.ts";
import { parseClaims } from "../../src/answer/model/model.ts";
import { completeQuote, toWording } from "../../src/answer/quote/quote.ts";
import { groupOf } from "../../src/answer/reader/calibration.ts";
import { toPieces as toReaderPieces } from "../../src/answer/reader/input.ts";
import { parseGrid } from "../../src/answer/table/grid.ts";
import { findCell, toTableQuestion } from "../../src/answer/table/name-cell.ts";
import { chunk, searchText } from "../../src/chunk/chunk.ts";
import { wrap } from "../../src/cli/terminal/wrap.ts";
import { compact } from "../../src/console/pages/search/passage-text.ts";
import { openSecretScan } from "../../src/domain/secrets/secret-text.ts";
import { toPieces } from "../../src/extract/image/ocr/layout/lines.ts";
import { plain as pdfPlain, squeeze } from "../../src/extract/pdf/blocks.ts";
import { hyphenRestorer } from "../../src/extract/pdf/hyphens.ts";
import { dropRunning, plainParagraphs } from "../../src/extract/pdf/pages.ts";
import { repairCutOff } from "../../src/extract/pdf/repair-cut-off.ts";
import { isHidden, secretKind } from "../../src/ingest/intake/secrets.ts";
import { chats } from "../../src/ingest/sources/export/chats.ts";
import type { Export } from "../../src/ingest/sources/export/files.ts";
import { confluence, isNotion, notion, obsidian } from "../../src/ingest/sources/export/pages.ts";
import type { ExportReader } from "../../src/ingest/sources/export/reader.ts";
import { slack } from "../../src/ingest/sources/export/slack.ts";
import { linksIn, readSitemap } from "../../src/ingest/sources/site/links.ts";
import { crawlDelay, isAllowed, sitemapsIn } from "../../src/ingest/web/robots.ts";
import { redact } from "../../src/observe/log.ts";
import { openScopes } from "../../src/scopes/scopes.ts";
import { toSketch } from "../../src/search/near-duplicates.ts";
import { toPlain as queryPlain, toQuery } from "../../src/search/query.ts";
import { openAnalyser } from "../../src/text/analyse.ts";
import { clean, oneLine, tidy } from "../../src/text/clean/clean.ts";
import { toFilename } from "../../src/text/clean/filename.ts";
import { inertJson, inertText } from "../../src/text/clean/inert.ts";
import { stem } from "../../src/text/english/porter.ts";
import { highlights } from "../../src/text/highlights.ts";
import { openIgnoreRules, splitRules } from "../../src/text/patterns/ignore-rules.ts";
import { sentences } from "../../src/text/sentences.ts";
import { cutTo, widthOf } from "../../src/text/width.ts";
import { words as answerWords, stemOf } from "../../src/text/words.ts";
import { snippet } from "../../src/tools/documents/search-results.ts";
import { makeDocx, makePptx, makeXlsx, paragraph, row, shape } from "../support/files/office.ts";
import { openMemoryScopes } from "../support/memory-scopes.ts";
import { passage } from "../support/passages.ts";
import { toExtracted } from "../support/plain-parts.ts";
import { readHere } from "../support/read-here.ts";
import { silentLog } from "../support/silent-log.ts";

export type TextFunction = (text: string) => unknown;

const analyser = openAnalyser();
const PAGE = new URL("https://example.com/");
const xml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const readByReader = (text: string) => {
  const { sentences: own } = toReaderPieces(passage(text), () => ({
    pieces: [],
    starts: [],
    ends: [],
  }));
  for (const [at, sentence] of own.slice(0, 50).entries()) {
    completeQuote(own, at);
    toWording(sentence);
  }
};
const scanned = (text: string) => {
  const scan = openSecretScan({ of: "text" });
  for (let at = 0; at < text.length; at += 65_536) scan.push(text.slice(at, at + 65_536));
  return scan.end();
};
/** As a person drops them on the page. */
const importRules = (files: Readonly<Record<string, string>>) => {
  const dropped = Object.entries(files).map(([path, text]) => ({ path: `p/${path}`, text }));
  const scopes = openScopes({ store: openMemoryScopes(), log: silentLog() });
  return scopes.importFiles(dropped, { guides: true, dryRun: true });
};
/** A file of each kind, with the text as prose, as list items, as a heading and before the first line. */
const ruleFiles = (text: string) => ({
  "AGENTS.md": `# A\n\n## B\n\n${text}\n\n## ${text.replaceAll("\n", " ")}\n\na\n`,
  ".github/copilot-instructions.md": text,
  ".cursor/rules/a.mdc": `---\n${text}\n---\n${text}`,
  "skills/a/SKILL.md": text,
  "docs/guide.md": `# A\n\n${text}`,
  "docs/list.md": `# A\n\n- ${text}\n- ${text}`,
});
const piece = (text: string) => ({ kind: "paragraph", text }) as const;

const exportFile = (name: string, text = "") => ({
  name,
  sizeBytes: 1,
  version: "1",
  async *read() {
    yield Buffer.from(text);
  },
});
const exportOf = (...names: readonly string[]): Export => ({
  files: names.map((name) => exportFile(name)),
  mails: () => Promise.reject(new Error("none")),
});
const readEach = async (reader: ExportReader, files: Export["files"]) => {
  for await (const { read } of reader.list({ ...exportOf(), files })) await read(1_000_000);
};
const readPages = (reader: ExportReader, name: string, text: string) =>
  readEach(reader, [exportFile(name, text)]);
const readAllOf = (reader: ExportReader, files: Readonly<Record<string, unknown>>) =>
  readEach(
    reader,
    Object.entries(files).map(([name, json]) => exportFile(name, JSON.stringify(json))),
  );

export const TEXT_FUNCTIONS: Readonly<Record<string, TextFunction>> = {
  "ignore rules": (text) => openIgnoreRules(splitRules(text)).match("a/b.md", false),
  "ignore rules on a long path": (text) => openIgnoreRules(["**/*a*/b?[a-z]"]).match(text, false),
  "ignore rule with a class": (text) => openIgnoreRules([`[${text}]`]).match("a", false),
  "extract clean": clean,
  "extract oneLine": oneLine,
  "extract tidy": tidy,
  "extract md, one line": (text) => readHere("x.md", `a ${text.replaceAll("\n", " ")}`),
  "extract front matter": (text) => readHere("x.md", `---\n${text}`),
  "extract charset": (text) => readHere("x.xml", `<?xml ${text}`),
  "extract charset of a page": (text) => readHere("x.html", `<meta ${text}`),
  "extract sniff": (text) => readHere("x", `<!DOCTYPE svg ${text}`),
  "extract md": (text) => readHere("x.md", `a\n${text}`),
  "extract txt": (text) => readHere("x.txt", `a\n${text}`),
  "extract LaTeX": (text) => readHere("x.tex", `a\n${text}`),
  "extract rst": (text) => readHere("x.rst", `a\n${text}`),
  "extract org": (text) => readHere("x.org", `a\n${text}`),
  "extract adoc": (text) => readHere("x.adoc", `a\n${text}`),
  "extract subtitles": (text) => readHere("x.vtt", `a\n${text}`),
  "extract calendar": (text) => readHere("x.ics", `SUMMARY:a\n${text}`),
  "extract right to left": (text) => plainParagraphs({ text: `سلام ${text}` } as never),
  "extract bytes of a charset": (text) => readHere("x.txt", Buffer.from(`é${text}`, "latin1")),
  "extract csv": (text) => readHere("x.csv", `a\n${text}`),
  "extract json": (text) => readHere("x.json", JSON.stringify({ a: text, [text]: 1 })),
  "extract html": (text) => readHere("x.html", `<html><body>a ${text}</body></html>`),
  "extract html text": (text) =>
    readHere("x.html", `<html><p>a ${xml(text)}<pre>${xml(text)}</pre>`),
  "extract html style": (text) =>
    readHere("x.html", `<html><style>${text}</style><p style="${text}">a`),
  "extract html title": (text) =>
    readHere("x.html", `<html><title>${text}</title><h1>${text}</h1>a`),
  "extract svg": (text) =>
    readHere("x.svg", `<svg><style>${text}</style><text>a ${xml(text)}</text></svg>`),
  "extract svg markup": (text) => readHere("x.svg", `<svg>${text}`),
  "extract docx": (text) => readHere("x.docx", makeDocx({ body: paragraph(`a ${xml(text)}`) })),
  "extract pptx": (text) => readHere("x.pptx", makePptx([{ shapes: shape([`a ${xml(text)}`]) }])),
  "extract xlsx": (text) =>
    readHere(
      "x.xlsx",
      makeXlsx({ sheets: [{ name: "S", rows: row(1, ["s0"]) }], strings: [`a ${xml(text)}`] }),
    ),
  "extract hidden rules": (text) =>
    readHere("x.html", `<html><style>a{${text}}</style><style>@media ${text}{a{b}}</style><p>a`),
  "extract sizes": (text) =>
    readHere("x.html", `<html><p style="${xml(text).replaceAll('"', "&quot;")}">a`),
  "extract number format": (text) => {
    const sheets = [{ name: "S", rows: row(1, [5], 1) }];
    return readHere("x.xlsx", makeXlsx({ sheets, formats: [xml(text)] }));
  },
  "extract pdf text": (text) => [pdfPlain(text), squeeze(text)],
  "extract pdf page": (text) => plainParagraphs({ text } as never),
  "extract pdf hyphens": (text) => hyphenRestorer([text])(piece(text)),
  "extract pdf running heads": (text) => dropRunning([[piece(text)], [piece(text)], [piece(text)]]),
  "extract damaged pdf": (text) => repairCutOff(Buffer.from(`%PDF-1.4 1 0 obj ${text}`), 1_000_000),
  "extract ocr lines": (text) =>
    toPieces([{ text, confidence: 90, box: { x0: 0, y0: 0, x1: 9, y1: 9 } } as never]),
  "export name": (text) => isNotion(exportOf(text.replaceAll("/", "").slice(0, 1_000))),
  "export names": (text) => isNotion(exportOf(...Array(20).fill(text.slice(0, 1_000)))),
  "export Notion": (text) => readPages(notion, "a.md", `# ${text}\n\n${text}`),
  "export Confluence": (text) =>
    readPages(confluence, "1.html", `<title>${text}</title><div class="page-metadata">${text}`),
  "export Obsidian": (text) => readPages(obsidian("v"), "a.md", `---\ntags: ${text}\n---\n${text}`),
  "export Obsidian, open fence": (text) =>
    readPages(obsidian("v"), "a.md", `${text}\n${"a\n".repeat(9_000)}`),
  "export Slack": (text) =>
    readAllOf(slack, {
      "users.json": [],
      "channels.json": [],
      "c/2026-01-01.json": [{ type: "message", ts: "1.1", text }],
    }),
  "export ChatGPT": (text) =>
    readAllOf(chats, {
      "conversations.json": [
        { mapping: { a: { message: { author: { role: "user" }, content: { parts: [text] } } } } },
      ],
    }),
  "site links": (text) => linksIn(`<a href=a>${text}<link ${text}>`, PAGE),
  "site links, of tags": (text) => linksIn("<a href=a>".repeat(text.length / 10), PAGE),
  "site map": (text) => readSitemap(`<loc>${xml(text)}</loc>`.repeat(20), PAGE),
  "site map, of addresses": (text) => readSitemap("<loc>/a</loc>".repeat(text.length), PAGE),
  "site robots": (text) => {
    const robots = `User-agent: *\nSitemap: ${text}\nDisallow: /${text}\nCrawl-delay: ${text}`;
    return [isAllowed(robots, `/${text.slice(0, 2_000)}`), crawlDelay(robots), sitemapsIn(robots)];
  },
  "site robots, of stars": (text) => {
    const rule = `Disallow: /${"*a".repeat(20)}b\n`;
    const robots = `User-agent: *\n${rule.repeat(text.length / 2)}`;
    return isAllowed(robots, `/${"a".repeat(2_000)}`);
  },
  "answer table": (text) => {
    const table = `| a | b |\n| --- | --- |\n| ${text.replaceAll("\n", " ")} | 1 |`;
    const block = { kind: "table", start: 0, end: table.length, place: {}, headerEnd: 24 } as const;
    const grid = parseGrid(table, block);
    return (
      grid && [
        findCell(toTableQuestion(text.slice(0, 20_000), text), grid),
        findCell(toTableQuestion("a 1", text), grid),
      ]
    );
  },
  "answer languages": (text) => groupOf(text, text, () => "light"),
  "chunk chunk": (text) => chunk(toExtracted(text)),
  "chunk search text": (text) =>
    chunk(toExtracted(text))
      .slice(0, 20)
      .map((one) => searchText(one, toExtracted(text))),
  "search terms": (text) => analyser.terms(text),
  "search query": (text) => toQuery(text, analyser, undefined),
  "search plain query": queryPlain,
  "search stem": stem,
  "search sketch": toSketch,
  "search snippet": (text) => snippet(text, "tide turn", 400),
  "answer sentences": sentences,
  "answer words": answerWords,
  "answer stem": stemOf,
  "answer injection": addressesModel,
  "answer evidence": readByReader,
  "answer quotes": (text) => findQuote(text, text.slice(100, 400)),
  "answer claims": parseClaims,
  "answer citations": (text) => cite([{ passage: passage(text), text, spans: [] } as never]),
  "scopes import": (text) => importRules(ruleFiles(text)),
  "scopes json keys": (text) =>
    importRules({ "x.json": JSON.stringify({ [text]: [text, { a: text }] }) }),
  "scopes file": (text) => {
    const entries = { [text]: text };
    const categories = { [text]: { description: text, entries } };
    const scope = { id: text, tier: "GENERAL", description: text, categories };
    const named = { ...scope, id: "named" };
    return importRules({
      "one.json": JSON.stringify({ scopes: [scope] }),
      "two.json": JSON.stringify({ scopes: [named] }),
    });
  },
  "console passage": compact,
  "text highlights": (text) => [highlights("tide", text), highlights(text, "tide")],
  "domain inert": (text) => [inertText(text), inertJson({ text }, 2)],
  "domain file name": toFilename,
  "domain secrets": scanned,
  "ingest secret paths": (text) => [secretKind(`/home/${text}`), isHidden(text)],
  "observe redact": (text) => redact({ text, url: `http://${text}` }),
  "cli wrap": (text) => wrap(text, 80),
  "cli width": (text) => [widthOf(text), cutTo(text, 40)],
};
