// Writes text read from pixels into the document.
import type { Writer } from "../../writer.ts";
import type { OcrPiece } from "./layout/lines.ts";

export function writeOcrPieces(
  out: Writer,
  pieces: readonly OcrPiece[],
  as: "figure" | "paragraph",
): void {
  for (const piece of pieces) {
    if (piece.kind === "table") out.table(piece.rows);
    else out[as](piece.text);
  }
}
