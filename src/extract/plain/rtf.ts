// RTF: control words, groups and bytes of a code page → paragraphs and tables.
import type { HiddenKind } from "../../domain/document.ts";
import { corrupt, overLimit } from "../failures.ts";
import { unseenKind } from "../hidden/appearance.ts";
import { type Rgb, WHITE } from "../hidden/colour.ts";
import type { ReadContext, ReadOutcome } from "../reader.ts";
import type { Writer } from "../writer.ts";
import { charsetOfCodePage } from "./charset.ts";

/** Each has its own copy of what the group around it says, and changes that. */
interface Group {
  /** The group contains fonts, pictures or styles, not text. */
  skips: boolean;
  /** The number of characters after a \u that are meant for readers without Unicode. */
  fallback: number;
  isTitle: boolean;
  isHidden: boolean;
  points: number | undefined;
  colour: Rgb | undefined;
}

const SKIPPED = new Set(
  (
    "fonttbl colortbl stylesheet listtable listoverridetable rsidtbl generator pict object objdata themedata " +
    "colorschememapping datastore latentstyles xmlnstbl filetbl revtbl fldinst bkmkstart bkmkend nonshppict " +
    "header headerl headerr headerf footer footerl footerr footerf shprslt author operator company keywords comment doccomm " +
    "subject category manager hlinkbase creatim revtim printim buptim docvar mmathPr wgrffmtfilter pnseclvl"
  ).split(" "),
);
const SYMBOLS = new Map(
  Object.entries({
    line: "\n",
    tab: "\t",
    emdash: "—",
    endash: "–",
    lquote: "‘",
    rquote: "’",
    ldblquote: "“",
    rdblquote: "”",
    bullet: "•",
    emspace: " ",
    enspace: " ",
    "~": " ",
    _: "-",
  }),
);
const TOKEN =
  /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z0-9])|([{}])|([^\\{}\r\n]+)/gi;
const DEEPEST = 500;

export function readRtf({ bytes, out }: ReadContext): ReadOutcome {
  const source = bytes.toString("latin1");
  if (!source.startsWith("{\\rtf")) throw corrupt("The file is not RTF.");
  const page = openPage(out);
  const reading = openReading(page, source);
  for (const token of source.matchAll(TOKEN)) readToken(reading, token);
  endBytes(reading);
  const title = reading.title.trim();
  page.finish();
  out.report("text");
  return { method: "text_extraction", ...(title === "" ? {} : { title }) };
}

function readToken(reading: Reading, token: RegExpExecArray): void {
  const [, name, number, hex, symbol, brace, plain] = token;
  if (hex !== undefined) addByte(reading, Number.parseInt(hex, 16));
  else if (plain !== undefined) addPlain(reading, plain);
  else if (brace !== undefined) addBrace(reading, brace);
  else if (symbol !== undefined) addSymbol(reading, symbol);
  else if (name !== undefined) addWord(reading, name, number);
}

/** The reader's state: which groups contain text, in which code page, and where it goes. */
interface Reading {
  readonly page: Page;
  readonly groups: Group[];
  readonly bytes: number[];
  readonly colours: readonly (Rgb | undefined)[];
  /** What is behind a text; null if that may be any colour. */
  readonly behind: Rgb | null;
  charset: string;
  /** How many characters to skip: old readers show them in place of one that they do not know. */
  toSkip: number;
  title: string;
}

/** Words that colour what is behind a text. */
const PAINT = /\\(?:cb|highlight|chcbpat|clcbpat|cbpat|shading|background)\d*[\\ ]/;

function openReading(page: Page, source: string): Reading {
  const behind = PAINT.test(source) ? null : WHITE;
  const shown = { isTitle: false, isHidden: false, points: undefined, colour: undefined };
  const groups: Group[] = [{ skips: false, fallback: 1, ...shown }];
  const state = { charset: "windows-1252", toSkip: 0, title: "" };
  return { page, groups, bytes: [], colours: coloursOf(source), behind, ...state };
}

function coloursOf(source: string): readonly (Rgb | undefined)[] {
  const table = /\{\\colortbl([^}]{0,20000})\}/.exec(source)?.[1] ?? "";
  return table.split(";").map((entry) => {
    const [, red, green, blue] = COLOUR.exec(entry) ?? [];
    return red && green && blue ? [Number(red), Number(green), Number(blue)] : undefined;
  });
}

const COLOUR = /\\red(\d{1,3})\s*\\green(\d{1,3})\s*\\blue(\d{1,3})/;

function top({ groups }: Reading): Group {
  return groups.at(-1) as Group;
}

function put(reading: Reading, text: string): void {
  const { isTitle, skips, isHidden, points, colour } = top(reading);
  if (isTitle) reading.title += text;
  else if (!skips) {
    const { behind } = reading;
    reading.page.text(text, isHidden ? "hidden" : unseenKind({ points, colour, behind }));
  }
}

function endBytes(reading: Reading): void {
  if (reading.bytes.length === 0) return;
  put(reading, new TextDecoder(reading.charset).decode(Uint8Array.from(reading.bytes.splice(0))));
}

function addByte(reading: Reading, value: number): void {
  if (reading.toSkip > 0) reading.toSkip -= 1;
  else reading.bytes.push(value);
}

function addPlain(reading: Reading, text: string): void {
  endBytes(reading);
  const rest = text.slice(reading.toSkip);
  reading.toSkip = Math.max(0, reading.toSkip - text.length);
  // Bytes above ASCII are also in the code page.
  put(reading, isAscii(rest) ? rest : decode(rest, reading.charset));
}

function addBrace(reading: Reading, mark: string): void {
  const { groups } = reading;
  endBytes(reading);
  if (mark === "{") groups.push({ ...top(reading) });
  else if (groups.length > 1) groups.pop();
  if (groups.length > DEEPEST) throw overLimit(`its groups are nested more than ${DEEPEST} deep`);
}

function addSymbol(reading: Reading, mark: string): void {
  endBytes(reading);
  if (mark === "*") top(reading).skips = true;
  else if (mark === "\n" || mark === "\r") reading.page.word("par");
  else put(reading, SYMBOLS.get(mark) ?? (/[\\{}]/.test(mark) ? mark : ""));
}

const EFFECTS = new Map(
  Object.entries<(group: Group, value: number | undefined, reading: Reading) => void>({
    u(group, value = 0, reading) {
      put(reading, String.fromCharCode(value & 0xffff));
      reading.toSkip = group.fallback;
    },
    uc(group, value = 1) {
      group.fallback = Math.min(value, 8);
    },
    ansicpg(_, value = 1252, reading) {
      reading.charset = charsetOfCodePage(value);
    },
    title: (group) => Object.assign(group, { isTitle: true, skips: true }),
    // Boxes are inside what old readers skip.
    shptxt: (group) => Object.assign(group, { skips: false }),
    dptxbxtext: (group) => Object.assign(group, { skips: false }),
    v(group, value = 1) {
      group.isHidden = value !== 0;
    },
    plain(group) {
      group.isHidden = false;
      group.points = undefined;
      group.colour = undefined;
    },
    fs(group, value = 24) {
      group.points = value / 2;
    },
    cf(group, value = 0, { colours }) {
      group.colour = colours[value];
    },
  }),
);

function addWord(reading: Reading, name: string, number: string | undefined): void {
  endBytes(reading);
  const effect = EFFECTS.get(name);
  if (effect !== undefined)
    effect(top(reading), number === undefined ? undefined : Number(number), reading);
  else if (SKIPPED.has(name)) top(reading).skips = true;
  else if (SYMBOLS.has(name)) put(reading, SYMBOLS.get(name) ?? "");
  else if (!top(reading).skips) reading.page.word(name);
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text, "utf8") === text.length;
}

function decode(text: string, charset: string): string {
  return new TextDecoder(charset).decode(Buffer.from(text, "latin1"));
}

/** Collects paragraphs and rows as they are closed. */
type Page = ReturnType<typeof openPage>;

function openPage(out: Writer) {
  const state = { text: "", cells: [] as string[], rows: [] as string[][], outline: 0 };
  const hidden = new Map<HiddenKind, string[]>();
  const endTable = () => out.table(state.rows.splice(0));
  const take = () => {
    const taken = state.text.trim();
    state.text = "";
    return taken;
  };
  const endParagraph = () => {
    // Inside a row, a paragraph is a line of its cell.
    if (state.cells.length > 0) {
      state.text += "\n";
      return;
    }
    const text = take();
    if (text === "") return;
    endTable();
    if (state.outline > 0) out.heading(state.outline, text);
    else out.paragraph(text);
  };
  return {
    text(text: string, unseen: HiddenKind | undefined) {
      if (unseen === undefined) state.text += text;
      else hidden.set(unseen, [...(hidden.get(unseen) ?? []), text]);
    },
    word(name: string) {
      if (name === "par" || name === "sect" || name === "page") endParagraph();
      else if (name === "pard") state.outline = 0;
      else if (name === "outlinelevel") state.outline = 2;
      else if (name === "cell") state.cells.push(take());
      else if (name === "row") state.rows.push(state.cells.splice(0));
    },
    finish() {
      if (state.cells.length > 0) state.rows.push(state.cells.splice(0));
      endTable();
      endParagraph();
      for (const [kind, texts] of hidden) out.hide(kind, texts.join(""));
    },
  };
}
