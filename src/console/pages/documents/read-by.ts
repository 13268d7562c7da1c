import type { ProcessingMethod } from "../../../domain/document.ts";
import type { MessageKey } from "../state/translations.ts";

export const READ_BY: Record<ProcessingMethod, MessageKey> = {
  text_extraction: "byText",
  ocr: "byOcr",
  image_analysis: "byImage",
  mixed: "byBoth",
};
