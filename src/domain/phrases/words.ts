// Values of the contract as words: how a document was read, and at which step a search lost one.

export const WORDS = {
  text_extraction: "text",
  ocr: "OCR",
  image_analysis: "OCR of an image",
  mixed: "text and OCR",
  "not-indexed": "not in the index",
  "not-recalled": "found neither by words nor by meaning",
  "not-by-words": "not found by words, and ranked too low",
  "not-by-meaning": "not found by meaning, and ranked too low",
  "ranked-below": "ranked too low",
  "left-out-as-weak": "left out as weak",
  gone: "the document is gone",
} as const;
