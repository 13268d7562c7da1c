// Pages of Notion, Confluence and Obsidian: files as they are, with what the tool says about each in their metadata.
import { defined } from "../../../domain/defined.ts";
import type { Metadata } from "../../../domain/document.ts";
import type { Export, ExportFile } from "./files.ts";
import { lastOf } from "./files.ts";
import {
  type ExportItem,
  type ExportReader,
  isDocument,
  listed,
  once,
  readWhole,
} from "./reader.ts";

/** What a page says about itself is near its start. */
const HEAD_CHARACTERS = 20_000;

interface Facts {
  readonly filename?: string;
  readonly metadata: Metadata;
  readonly modified?: string | undefined;
}

/** `describe` gets the text of Markdown and HTML. */
function page(item: string, file: ExportFile, describe: (text: string) => Facts): ExportItem {
  const { name, version } = file;
  const isText = /\.(?:md|html?)$/i.test(name);
  return {
    ...{ item, path: name, version },
    async read(maxBytes) {
      const bytes = isText ? await readWhole(file, maxBytes) : undefined;
      const { filename = lastOf(name), ...facts } = describe(bytes?.toString("utf8") ?? "");
      return { filename, ...facts, bytes: bytes ? once(bytes) : file.read() };
    },
  };
}

const NOTION = /^(.*\/)?([^/]*?) ?([0-9a-f]{32})(_all)?(\.(?:md|html|csv))$/;

export function isNotion({ files }: Export): boolean {
  return files.some(({ name }) => NOTION.test(name));
}

export const notion: ExportReader = {
  hasAll: true,
  async *list({ files }) {
    const names = new Set(files.map(({ name }) => name));
    for (const file of files) {
      const [, folders = "", title = "", id, all = "", extension = ""] =
        NOTION.exec(file.name) ?? [];
      // A table comes twice: as it is shown, and with all its rows.
      const isShort = extension === ".csv" && names.has(file.name.replace(/\.csv$/, "_all.csv"));
      if (!isDocument(file) || isShort || file.name === "index.html") continue;
      const path = withoutIds(folders).replace(/\/$/, "");
      const filename = defined({ filename: id && `${title || "Untitled"}${extension}` });
      yield page(`notion:${id ?? file.name}${all}`, file, (text) => {
        const { metadata, modified } = notionFacts(extension === ".md" ? text : "");
        return {
          ...filename,
          modified,
          metadata: { tool: "Notion", ...(path && { path }), ...metadata },
        };
      });
    }
  },
};

function withoutIds(path: string): string {
  return path.replace(/ ?[0-9a-f]{32}(?=\/|$)/g, "");
}

/** The lines `Name: value` below the title of a page that is in a table. */
function notionFacts(text: string): Facts {
  const block = /^\s*# [^\n]*\n\n((?:[^\n:]{1,60}: [^\n]{1,1000}\n)+)/.exec(
    text.slice(0, HEAD_CHARACTERS),
  );
  const entries = (block?.[1] ?? "").split("\n").flatMap((line): [string, string][] => {
    const [, name = "", value = ""] = /^([^:]+): (.+)$/.exec(line) ?? [];
    return name === "" ? [] : [[name, value.trim()]];
  });
  const found = new Map(entries.slice(0, 30));
  const edited = found.get("Last edited time") ?? found.get("Last Edited");
  return { metadata: Object.fromEntries(found), modified: edited };
}

export function isConfluence({ files }: Export): boolean {
  const names = new Set(files.map(({ name }) => name));
  return [...names].some(
    (name) =>
      name.endsWith("styles/site.css") && names.has(name.replace("styles/site.css", "index.html")),
  );
}

export const confluence: ExportReader = {
  hasAll: true,
  async *list({ files }) {
    for (const file of files) {
      const { name } = file;
      if (
        !isDocument(file) ||
        /(?:^|\/)(?:styles|images)\//.test(name) ||
        lastOf(name) === "index.html"
      )
        continue;
      const id = /(?:^|[/_])(\d+)\.html$/.exec(name)?.[1];
      const attached = /(?:^|\/)attachments\/(\d+)\/([^/]+)$/.exec(name);
      const item = attached ? `attachment/${attached[1]}/${attached[2]}` : (id ?? name);
      const of = attached ? { page: attached[1] } : {};
      yield page(`confluence:${item}`, file, (text) => {
        const { title, metadata, modified } = confluenceFacts(text.slice(0, HEAD_CHARACTERS));
        const filename = defined({ filename: title && `${title.replace(/[/\\]/g, " ")}.html` });
        return { ...filename, modified, metadata: { tool: "Confluence", ...of, ...metadata } };
      });
    }
  },
};

/** `SPACE : Title`, the links above the title, and the line with author, editor and date. */
function confluenceFacts(html: string) {
  const inside = (pattern: RegExp) => {
    const text = pattern.exec(html)?.[1]?.replace(/<[^>]{0,500}>/g, "");
    return text && toPlain(text);
  };
  const line = inside(/<div class="page-metadata">([\s\S]{0,2000}?)<\/div>/);
  const path = html.match(/<li[^>]{0,100}>\s*<span>\s*<a [^>]{0,500}>[^<]{1,200}<\/a>/g) ?? [];
  const metadata = defined({
    space: inside(/<title>\s*([^<]{1,200}?) : /),
    author: inside(/<span class='author'>([^<]{1,200})</),
    editor: inside(/<span class='editor'>([^<]{1,200})</),
    path:
      path.length > 0
        ? path.map((each) => toPlain(each.replace(/<[^>]{0,500}>/g, ""))).join("/")
        : undefined,
  });
  const title = inside(/<title>[^<]{1,200}? : ([^<]{1,300})<\/title>/);
  return { title, metadata, modified: line && /\bon ([^,]{3,20}, \d{4})/.exec(line)?.[1] };
}

function toPlain(text: string): string {
  return text
    .replace(/&(?:nbsp|#160);/g, " ")
    .replace(/&quot;/g, '"')
    .replace(/&#39;|&rsquo;/g, "'")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&")
    .replace(/\s+/g, " ")
    .trim();
}

/** `vault`: its name; files of another vault may have the same paths. */
export const obsidian = (vault: string): ExportReader => ({
  hasAll: true,
  async *list({ files }) {
    for (const file of files)
      if (isDocument(file))
        yield page(`obsidian:${vault}/${file.name}`, file, (text) => ({
          metadata: file.name.endsWith(".md") ? obsidianFacts(text) : {},
        }));
  },
});

/** Tags and links of one note, before equal ones are left out. */
const MAX_MARKS = 10_000;

/** Tags and links of the text; those of the front matter are read with the document. */
function obsidianFacts(text: string): Metadata {
  const prose = withoutCode(text);
  const front = /^---\n([\s\S]{0,16000}?)\n---/.exec(text)?.[1] ?? "";
  const [, inline = "", block = ""] =
    /^tags:[ \t]*(?:\[?([^\n\]]*)\]?)[ \t]*\n?((?:[ \t]*- [^\n]*\n?)*)/m.exec(front) ?? [];
  const own = [
    ...inline.split(/[,\s]+/),
    ...block.split("\n").map((line) => line.replace(/^[ \t]*- /, "")),
  ];
  const hashes = prose
    .matchAll(/(?<=^|\s)#([\p{L}\p{N}_/-]{0,100}[\p{L}_/-][\p{L}\p{N}_/-]{0,100})/gmu)
    .take(MAX_MARKS);
  const tags = listed(
    [...own, ...hashes.map(([, tag = ""]) => tag)].map((tag) =>
      tag.trim().replace(/^["'#]+|["']$/g, ""),
    ),
  );
  const targets = prose.matchAll(/\[\[([^[\]|#^\n]{1,300})/g).take(MAX_MARKS);
  const links = listed(targets.map(([, to = ""]) => to.trim()));
  return { ...(tags.length > 0 && { tags }), ...(links.length > 0 && { links }) };
}

function withoutCode(text: string): string {
  let fence = "";
  const lines = text.split("\n").filter((line) => {
    const isInside = fence !== "";
    if (!isInside) fence = /^(?:`{3,}|~{3,})/.exec(line)?.[0] ?? "";
    else if (line.startsWith(fence)) fence = "";
    return !isInside && fence === "";
  });
  return lines.join("\n").replace(/`[^`\n]*`/g, "");
}
