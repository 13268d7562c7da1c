// Warnings about a document that was read, but not as one would expect.
import { openPhrases } from "./phrases.ts";

export const WARNINGS = {
  chapterMissing: "A chapter that the e-book lists is missing.",
  firstAttachments: "Only the first {0} attachments were read.",
  attachmentNotRead: 'The attachment "{0}" was not read: {1}',
  noTextInPicture: "No text was recognised in the image.",
  pictureUnsure: "The text was recognised with low confidence ({0}%); check it against the image.",
  firstRows: "Only the first {0} of {1} rows were read.",
  pdfDamaged: "The PDF is damaged{0}. Of what is left, {1} could be read.",
  pageDamaged: "Page {0} is damaged and was left out.",
  firstPages: "Only the first {0} of {1} pages were read.",
  pageWithoutText: "No text was found on page {0}.",
  pageUnsure: "Page {0} was recognised with low confidence ({1}%).",
  ocrNotForFormat: "force_ocr does not apply to {0}: its text was read as it is.",
  otherName: "The file is named .{0}, but it is {1} and was read as that.",
} as const;

export type Warning = keyof typeof WARNINGS;

/** As earlier versions wrote them: they are stored with the documents. */
export const FORMER_WARNINGS: readonly (readonly [Warning, string])[] = [
  ["noTextInPicture", "No text was recognised in the picture."],
  [
    "pictureUnsure",
    "The text was recognised with low confidence ({0} %); check it against the picture.",
  ],
  ["pdfDamaged", "The PDF is damaged{0}. {1} of the rest could be read."],
  ["pageWithoutText", "Page {0} gave no text."],
  ["pageUnsure", "Page {0} was recognised with low confidence ({1} %)."],
];

export const { describe: describeWarning, read: readWarning } = openPhrases<Warning>(
  WARNINGS,
  FORMER_WARNINGS,
);
