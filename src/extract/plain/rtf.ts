// RTF: control words, groups and bytes of a code page → paragraphs and tables.
import { corrupt, overLimit } from "../limits.ts";
import type { ReadContext, ReadOutcome } from "../reader.ts";
import type { Writer } from "../writer.ts";

interface Group {
  /** What is inside is not text: fonts, pictures, styles. */
  readonly skips: boolean;
  /** How many characters follow a \u for readers without Unicode. */
  readonly fallback: number;
  readonly isTitle: boolean;
}

const SKIPPED = new Set(
  (
    "fonttbl colortbl stylesheet listtable listoverridetable rsidtbl generator pict object objdata themedata " +
    "colorschememapping datastore latentstyles xmlnstbl filetbl revtbl fldinst bkmkstart bkmkend nonshppict " +
    "header headerl headerr headerf footer footerl footerr footerf author operator company keywords comment doccomm " +
    "subject category manager hlinkbase creatim revtim printim buptim docvar mmathPr wgrffmtfilter pnseclvl"
  ).split(" "),
);
const SYMBOLS: Readonly<Record<string, string>> = {
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
};
const CODE_PAGES: Readonly<Record<number, string>> = {
  932: "shift_jis",
  936: "gbk",
  949: "euc-kr",
  950: "big5",
  10000: "macintosh",
  65001: "utf-8",
};
const TOKEN =
  /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z0-9])|([{}])|([^\\{}\r\n]+)/gi;
const DEEPEST = 500;

export function readRtf({ bytes, out }: ReadContext): ReadOutcome {
  const source = bytes.toString("latin1");
  if (!source.startsWith("{\\rtf")) throw corrupt("The file is not RTF.");
  const page = openPage(out);
  const reading = openReading(page);
  for (const [, name, number, hex, symbol, brace, plain] of source.matchAll(TOKEN)) {
    if (hex !== undefined) reading.byte(Number.parseInt(hex, 16));
    else if (plain !== undefined) reading.plain(plain);
    else if (brace !== undefined) reading.brace(brace);
    else if (symbol !== undefined) reading.symbol(symbol);
    else if (name !== undefined)
      reading.word(name, number === undefined ? undefined : Number(number));
  }
  const title = reading.finish().trim();
  page.finish();
  out.report("text");
  return { method: "text_extraction", ...(title === "" ? {} : { title }) };
}

/** Follows the groups: what is text, in which code page, and where it goes. */
function openReading(page: Page) {
  const groups: Group[] = [{ skips: false, fallback: 1, isTitle: false }];
  const state = { charset: "windows-1252", bytes: [] as number[], toSkip: 0, title: "" };
  const top = () => groups.at(-1) as Group;
  const put = (text: string) => {
    if (top().isTitle) state.title += text;
    else if (!top().skips) page.text(text);
  };
  const endBytes = () => {
    if (state.bytes.length === 0) return;
    put(new TextDecoder(state.charset).decode(Uint8Array.from(state.bytes.splice(0))));
  };
  const replace = (change: Partial<Group>) => void groups.splice(-1, 1, { ...top(), ...change });
  const effects: Readonly<Record<string, (value: number | undefined) => void>> = {
    u(value = 0) {
      put(String.fromCharCode(value & 0xffff));
      state.toSkip = top().fallback;
    },
    uc: (value = 1) => replace({ fallback: Math.min(value, 8) }),
    ansicpg(value = 1252) {
      state.charset = charsetOf(value);
    },
    title: () => replace({ isTitle: true, skips: true }),
  };
  return {
    byte(value: number) {
      if (state.toSkip > 0) state.toSkip -= 1;
      else state.bytes.push(value);
    },
    plain(text: string) {
      endBytes();
      const rest = text.slice(state.toSkip);
      state.toSkip = Math.max(0, state.toSkip - text.length);
      // Bytes above ASCII are in the code page too.
      put(isAscii(rest) ? rest : decode(rest, state.charset));
    },
    brace(mark: string) {
      endBytes();
      if (mark === "{") groups.push(top());
      else if (groups.length > 1) groups.pop();
      if (groups.length > DEEPEST)
        throw overLimit(`its groups are nested more than ${DEEPEST} deep`);
    },
    symbol(mark: string) {
      endBytes();
      if (mark === "*") replace({ skips: true });
      else if (mark === "\n" || mark === "\r") page.word("par");
      else put(SYMBOLS[mark] ?? (/[\\{}]/.test(mark) ? mark : ""));
    },
    word(name: string, value: number | undefined) {
      endBytes();
      const effect = Object.hasOwn(effects, name) ? effects[name] : undefined;
      if (effect !== undefined) effect(value);
      else if (SKIPPED.has(name)) replace({ skips: true });
      else if (Object.hasOwn(SYMBOLS, name)) put(SYMBOLS[name] ?? "");
      else if (!top().skips) page.word(name);
    },
    /** The title. */
    finish(): string {
      endBytes();
      return state.title;
    },
  };
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text, "utf8") === text.length;
}

function decode(text: string, charset: string): string {
  return new TextDecoder(charset).decode(Buffer.from(text, "latin1"));
}

function charsetOf(codePage: number): string {
  const named = CODE_PAGES[codePage];
  if (named !== undefined) return named;
  return codePage >= 1250 && codePage <= 1258 ? `windows-${codePage}` : "windows-1252";
}

/** Paragraphs and rows, as they are closed. */
type Page = ReturnType<typeof openPage>;

function openPage(out: Writer) {
  const state = { text: "", cells: [] as string[], rows: [] as string[][], outline: 0 };
  const endTable = () => out.table(state.rows.splice(0));
  const take = () => {
    const taken = state.text.trim();
    state.text = "";
    return taken;
  };
  const endParagraph = () => {
    // Inside a row a paragraph is a line of its cell.
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
    text(text: string) {
      state.text += text;
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
    },
  };
}
