// Warnings about a document that was read, but not as one would expect.

export const WARNINGS = {
  hiddenOnPages:
    "Text that people cannot see is kept out of search and answers ({0} found). Pages: {1}.",
  hiddenOnSlides:
    "Text that people cannot see is kept out of search and answers ({0} found). Slides: {1}.",
  hiddenInSheets:
    "Text that people cannot see is kept out of search and answers ({0} found). Sheets: {1}.",
  hiddenInDocument: "Text that people cannot see is kept out of search and answers ({0} found).",
  disguisedWords: "Words are split by invisible characters, or shown reversed ({0} found).",
  chapterMissing: "A chapter that the e-book lists is missing.",
  firstAttachments: "Only the first {0} attachments were read.",
  attachmentNotRead: 'The attachment "{0}" was not read: {1}',
  noTextInPicture: "No text was recognised in the image.",
  pictureUnsure: "The text was recognised with low confidence ({0}%); check it against the image.",
  firstRows: "Only the first {0} of {1} rows were read.",
  pdfPartlyRead: "The PDF is damaged. Pages that could still be read: {0}.",
  pdfCutOffPartlyRead:
    "The PDF is damaged: its end is missing. Pages that could still be read: {0}.",
  pageDamaged: "Page {0} is damaged and was left out.",
  firstPages: "Only the first {0} of {1} pages were read.",
  pageWithoutText: "No text was found on page {0}.",
  pageUnsure: "Page {0} was recognised with low confidence ({1}%).",
  ocrNotForFormat: "force_ocr does not apply to {0}: its text was read as it is.",
  moreWarnings: "More warnings are not shown: {0}.",
  otherName: "The file is named .{0}, but it is {1} and was read as that.",
  metadataUnreadable:
    "This document's metadata is damaged and not shown; it stays in the database. Add the file again with its metadata.",
} as const;
