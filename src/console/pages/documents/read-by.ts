import type { ProcessingMethod } from "../../../domain/document.ts";
import type { Word } from "../state/translations.ts";

export const READ_BY: Record<ProcessingMethod, Word> = {
  text_extraction: "byText",
  ocr: "byOcr",
  image_analysis: "byImage",
  mixed: "byBoth",
};
