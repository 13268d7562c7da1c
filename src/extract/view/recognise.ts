// The words of a picture by OCR, for the viewer: read in the same way as the document.
import { openOcr, type Picture } from "../image/ocr/ocr.ts";
import type { ReadSettings } from "../reader.ts";
import type { PageView } from "./view.ts";
import { placedWords } from "./words.ts";

interface Recognising {
  readonly settings: ReadSettings;
  readonly alive: () => void;
}

export async function recogniseWords(
  picture: Picture,
  { settings, alive }: Recognising,
): Promise<PageView> {
  const reader = await openOcr(settings.ocr, alive);
  const { words } = await reader.read(picture);
  return { kind: "words", words: placedWords(words) };
}
