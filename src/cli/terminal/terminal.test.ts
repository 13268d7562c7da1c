import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { RAW, SEQUENCES } from "../../../test/fixtures/hostile-text.ts";
import { cutTo, pad, widthOf } from "../../text/width.ts";
import { describeMebibytes, describeSize } from "./format.ts";
import { openTerminal } from "./terminal.ts";
import { wrapLongLines } from "./wrap.ts";

function open(columns?: number, isTTY = false) {
  const stdout = Object.assign(
    new PassThrough(),
    { isTTY },
    columns === undefined ? {} : { columns },
  );
  const stderr = new PassThrough();
  const terminal = openTerminal({
    asJson: false,
    stdout: stdout as unknown as NodeJS.WriteStream,
    stderr: stderr as unknown as NodeJS.WriteStream,
  });
  const read = (stream: PassThrough) => String(stream.read() ?? "");
  return { terminal, out: () => read(stdout), err: () => read(stderr) };
}

test("a Japanese character takes two columns, a combining mark none", () => {
  expect(widthOf("日本")).toBe(4);
  expect(widthOf("ｱ")).toBe(1);
  expect(widthOf("e\u0301")).toBe(1);
  expect(widthOf("\x1b[31mred\x1b[0m")).toBe(3);
});

test("text is cut between characters, and fits", () => {
  expect(cutTo("日本語の文書", 7)).toBe("日本語…");
  expect(widthOf(cutTo("日本語の文書", 8))).toBeLessThanOrEqual(8);
  expect(pad("日本", 6, "right")).toBe("  日本");
});

test("a table is aligned, and its flexible column shrinks", () => {
  const { terminal, out } = open(30);
  const rows = [
    { name: "とても長い日本語のファイル名.pdf", size: 5 },
    { name: "short.txt", size: 12_345 },
  ];
  terminal.table(
    [
      { head: "Name", value: (row) => row.name, shrinks: true },
      { head: "Size", value: (row) => String(row.size), align: "right" },
    ],
    rows,
  );
  const lines = out().trimEnd().split("\n");
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(widthOf(line)).toBe(30);
});

test.each([40, 60, 80, 100, 120])("on %i columns, any table fits, one line a row", (columns) => {
  const heads = ["Name", "Where", "What", "Size"] as const;
  for (let seed = 1; seed <= 60; seed += 1) {
    const { terminal, out } = open(columns);
    const length = (at: number) => (seed * (at + 3) * 7) % 60;
    const row = heads.map((_, at) => "名x".repeat(1 + length(at) / 2));
    const shrinking = seed % heads.length;
    terminal.table(
      heads.map((head, at) => ({
        ...{ head, value: () => row[at] ?? "" },
        ...(at === shrinking || seed % 3 === 0 ? { shrinks: true as const } : {}),
        ...(at > 0 && seed % 5 === at ? { optional: true as const } : {}),
      })),
      [row, row],
    );
    const lines = out().trimEnd().split("\n");
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns);
  }
});

test("a pipe gets whole lines, no colours and no progress", async () => {
  const { terminal, out, err } = open();
  terminal.line(terminal.style("red", "x".repeat(300)));
  await terminal.track(async ({ update }) => update("working", 0.5));
  expect(out()).toBe(`${"x".repeat(300)}\n`);
  expect(err()).toBe("");
});

test("a table that is too narrow for its names leaves out optional columns, the last first", () => {
  const { terminal, out } = open(34);
  terminal.table(
    [
      { head: "Id", value: () => "75ba34c7" },
      { head: "File", value: () => "quarterly-sales-table.html", shrinks: true },
      { head: "Format", value: () => "html", optional: true },
      { head: "Read by", value: () => "text extraction", optional: true },
    ],
    [{}],
  );
  expect(out().split("\n")).toEqual(["ID        FILE", "75ba34c7  quarterly-sales-table.h…", ""]);
});

test("a closed pipe is no failure; a full disk is", () => {
  const stdout = new PassThrough() as unknown as NodeJS.WriteStream;
  openTerminal({ asJson: false, stdout, stderr: new PassThrough() as never });
  const broken = (code: string) => Object.assign(new Error(code), { code });
  expect(() => stdout.emit("error", broken("EPIPE"))).not.toThrow();
  expect(() => stdout.emit("error", broken("ENOSPC"))).toThrow("ENOSPC");
});

test("foreign escape sequences are never printed, with or without colours", () => {
  const foreign = SEQUENCES.join("word");
  for (const isTTY of [false, true]) {
    const { terminal, out, err } = open(200, isTTY);
    terminal.line(foreign);
    terminal.line(`${terminal.style("bold", foreign)} ${foreign}`);
    terminal.table([{ head: "File", value: () => foreign, style: "red", shrinks: true }], [{}]);
    terminal.document(foreign.replaceAll("\t", ""));
    terminal.json({ [foreign]: foreign });
    terminal.note(terminal.style("red", foreign));
    const colours = new RegExp(`${"\x1b"}\\[(?:1|22|31|39)m`, "g");
    const printed = out() + err();
    expect(printed.match(colours)?.length ?? 0).toBe(isTTY ? 8 : 0);
    expect(printed.replace(colours, "")).not.toMatch(RAW);
  }
});

test("a document's tabs stay tabs", () => {
  const { terminal, out } = open();
  terminal.document("a\tb");
  expect(out()).toBe("a\tb\n");
});

test("all sizes use one unit, also those that the contract counts in units of 1024²", () => {
  expect(describeSize(4_508_877)).toBe("4.5 MB");
  expect(describeMebibytes(4.3)).toBe("4.5 MB");
  expect(describeMebibytes(0)).toBe("0 MB");
});

const TEXTS = [
  "Keep sites, git repositories, buckets and exports of other tools in sync",
  "サイト、git リポジトリ、バケット、「ほかのツール」のエクスポートを同期し、最新の状態に保つ",
  "settings file (JSON or YAML); its keys are these flags in camelCase",
];

/** As far as it may not be broken: a Japanese mark or small kana stays with what is before it. */
const FIRST_WORD =
  /^(?:[\x21-\x7e]+|[「『（]*.[、。」』）ー\u3041\u3043\u3063\u3083\u3085\u3087\u30a1\u30a3\u30a7\u30c3\u30e3\u30e5\u30e7]*)/u;

function expectToHang(lines: readonly string[], columns: number, hang: number): void {
  for (const [at, line] of lines.entries()) {
    expect(widthOf(line)).toBeLessThanOrEqual(columns);
    if (at > 0) expect(line).toMatch(new RegExp(`^ {${hang + 2}}[^\\s、。」』ッー]`));
    expect(line).not.toMatch(/[「『]$/);
    const [word] = FIRST_WORD.exec(lines[at + 1]?.trim() ?? "") ?? [];
    // It had no room here.
    if (word) expect(widthOf(`${line} ${word}`), line).toBeGreaterThan(columns);
  }
}

test.each(TEXTS)("at every width, a text fills its lines and hangs below itself: %s", (text) => {
  const squeezed = (spaced: string) => spaced.replace(/\s/g, "");
  for (let columns = 40; columns <= 140; columns += 1)
    for (const hang of [6, 12, 18]) {
      const line = `  ${"name".padEnd(hang - 2)}  ${text}`;
      const wrapped = wrapLongLines(line, columns, hang);
      expect(squeezed(wrapped)).toBe(squeezed(line));
      expectToHang(wrapped.split("\n"), columns, hang);
    }
});
