// A slide as a picture, with the words on it and where they are.
import { KnowledgeError } from "../../../domain/errors.ts";
import { type Canvas, short, type Word } from "./drawing/canvas.ts";

export interface Slide {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
  readonly words: readonly Word[];
}

interface Sheet {
  readonly width: number;
  readonly height: number;
  /** The file has text for this slide. */
  readonly hasText: boolean;
}

export function toSlide(canvas: Canvas, { width, height, hasText }: Sheet): Slide {
  if (canvas.words.length === 0 && hasText) throw placeless();
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${short(width)} ${short(height)}" width="${short(width)}" height="${short(height)}">`;
  return { svg: `${head}${canvas}</svg>`, width, height, words: canvas.words };
}

function placeless(): KnowledgeError {
  return new KnowledgeError(
    "RESOURCE_NOT_FOUND",
    "This slide cannot be drawn: its file does not say where its parts are. Read its text instead.",
  );
}
