// The layout that liteparse found on a page → blocks in reading order.
import type { LayoutBlock } from "@llamaindex/liteparse";
import { isWide } from "../../text/scripts.ts";
import type { Piece } from "../writer.ts";

const MAX_HEADING_LENGTH = 200;

export function toPieces(blocks: readonly LayoutBlock[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let above: LayoutBlock | undefined;
  for (const block of blocks) {
    const piece = toPiece(block);
    if (piece === undefined) continue;
    const last = pieces.at(-1);
    if (
      last !== undefined &&
      above !== undefined &&
      piece.kind === "paragraph" &&
      continuesSentence(last, piece.text, above, block)
    ) {
      pieces[pieces.length - 1] = continued(last, piece.text);
    } else if (last?.kind === "list" && piece.kind === "list") {
      pieces[pieces.length - 1] = { kind: "list", items: [...last.items, ...piece.items] };
    } else pieces.push(piece);
    above = block;
  }
  return pieces;
}

export function pieceText(piece: Piece): string {
  if (piece.kind === "list")
    return piece.items.map((item) => `${item.marker ?? ""} ${item.text}`).join("\n");
  if (piece.kind === "table") return piece.rows.map((row) => row.join(" ")).join("\n");
  return piece.text;
}

function toPiece(block: LayoutBlock): Piece | undefined {
  const text = plain(block.text ?? "");
  switch (block.kind) {
    case "heading":
      return headingPiece(text, block.level ?? 2);
    case "paragraph":
      return text === "" ? undefined : { kind: "paragraph", text };
    case "list_item":
      return listPiece(text, block);
    case "code":
      return codePiece(block.lines ?? []);
    case "grid_fallback":
      return { kind: "paragraph", text: (block.lines ?? []).map(squeeze).join("\n") };
    case "table":
      return tablePiece(block);
    default:
      return undefined;
  }
}

/** Long text in large type is a quotation or a list, not a heading. */
function headingPiece(text: string, level: number): Piece {
  const runsOn = text.length > MAX_HEADING_LENGTH || /^[-•*–]\s/.test(text);
  return runsOn ? { kind: "paragraph", text } : { kind: "heading", level, text };
}

function listPiece(text: string, { ordered, marker, level }: LayoutBlock): Piece {
  const shown = ordered && marker !== undefined ? { marker: marker.trim() } : {};
  return { kind: "list", items: [{ text, depth: level ?? 0, ...shown }] };
}

/** The layout calls everything in a monospaced font code; a single line of words is not. */
function codePiece(lines: readonly string[]): Piece | undefined {
  const text = lines.join("\n");
  if (text.trim() === "") return undefined;
  const wordy = lines.every((line) => !/[{}()=;<>$\\|&]/.test(line));
  const wide =
    [...text].filter((character) => isWide(character.charCodeAt(0))).length > text.length / 3;
  if ((lines.length === 1 && wordy) || wide)
    return { kind: "paragraph", text: lines.map(squeeze).join("\n") };
  return { kind: "code", text };
}

function tablePiece(block: LayoutBlock): Piece | undefined {
  const cells = (row: LayoutBlock["header"]) => (row ?? []).map((cell) => plain(cell.text));
  const rows = [
    block.header === undefined ? [] : cells(block.header),
    ...(block.rows ?? []).map(cells),
  ];
  const filled = rows.filter((row) => row.some((cell) => cell !== ""));
  if (filled.length === 0) return undefined;
  const columns = Math.max(...filled.map((row) => row.length));
  if (columns <= 1)
    return { kind: "paragraph", text: filled.map((row) => row.join(" ")).join("\n") };
  return { kind: "table", rows: filled };
}

/** Whether the next line, directly below, continues a sentence that the layout broke. */
function continuesSentence(
  last: Piece,
  text: string,
  above: LayoutBlock,
  block: LayoutBlock,
): boolean {
  if (last.kind !== "paragraph" && last.kind !== "list") return false;
  const before = (last.kind === "list" ? last.items.at(-1)?.text : last.text) ?? "";
  const end = before.charAt(before.length - 1);
  if (end === "" || /[.!?:;。！？：；」』）)\]]/.test(end)) return false;
  const begun =
    /^[\p{Ll},;)]/u.test(text) || (isWide(end.charCodeAt(0)) && !/^[※・●○■□◆【（(\d]/.test(text));
  if (!begun) return false;
  const [a, b] = [above.bbox, block.bbox];
  if (a === undefined || b === undefined) return true;
  const gap = b.y - (a.y + a.height);
  return gap < 9 && gap > -12 && b.x < a.x + a.width && b.x + b.width > a.x;
}

function continued(last: Piece, text: string): Piece {
  if (last.kind === "list") {
    const item = last.items.at(-1);
    if (item === undefined) return last;
    return {
      kind: "list",
      items: [...last.items.slice(0, -1), { ...item, text: glue(item.text, text) }],
    };
  }
  return last.kind === "paragraph" ? { ...last, text: glue(last.text, text) } : last;
}

function glue(before: string, after: string): string {
  const wide = isWide(before.charCodeAt(before.length - 1)) && isWide(after.charCodeAt(0));
  return wide ? before + after : `${before} ${after}`;
}

/** Removes emphasis marks and escapes, because text is searched and quoted as printed on the page. */
export function plain(markdown: string): string {
  return contentsLines(
    squeeze(
      markdown.replace(
        /\\([\\`*_{}[\]()#+\-.!|<>~&])|\*+|<\/?(?:u|b|i|sup|sub)>/g,
        (_, escaped?: string) => escaped ?? "",
      ),
    )
      // Japanese has no spaces between lines; joining two lines adds one.
      .replace(/(?<=[\u3041-\u9fff、。「」（）]) (?=[\u3041-\u9fff、。「」（）])/g, ""),
  );
}

/** Splits the entries of a table of contents again if they were joined into a paragraph. */
function contentsLines(text: string): string {
  const entry = /( … (?:\d{1,4}|[ivxlc]{1,6})) (?=\S)/g;
  return (text.match(entry)?.length ?? 0) < 2 ? text : text.replace(entry, "$1\n");
}

/** Removes dot leaders of contents pages and gaps in the layout. */
export function squeeze(text: string): string {
  const parts = text.split(/\.(?:\s*\.){4,}/);
  const led = parts.map((part, at) => {
    const tail = at === parts.length - 1 ? part : part.trimEnd();
    return at === 0 ? tail : tail.trimStart();
  });
  return led
    .join(" … ")
    .replace(/…{2,}|・{4,}/g, " … ")
    .replace(/[ \t]{3,}/g, "  ")
    .trim();
}
