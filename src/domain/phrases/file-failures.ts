// Reasons why a file could not be added, where the error code alone is not enough.

export const FILE_FAILURES = {
  empty: "The file is empty: there is nothing to add.",
  noBytes: "The file is empty (0 bytes); add a file with content.",
  emptyArchive:
    "This archive has nothing to add: every file is hidden or of an unsupported format.",
  pdfDamaged:
    "The PDF is damaged, and none of its pages can be read. Get a new copy, or open it in a viewer and save it again.",
  pdfCutOff:
    "The PDF is damaged: its end is missing, and none of its pages can be read. Get a new copy, or open it in a viewer and save it again.",
  otherContent: "The file is named .{0}, but its content is not {1} or any other supported format.",
  officeDamaged: "The file is damaged: it is not a readable Office file.",
  pictureDamaged: "The picture is damaged and cannot be decoded.",
  pictureHeader: "The picture is damaged: its header cannot be read.",
  pictureSmall: "The picture is too small to contain text.",
  zipDamaged: "The file is not a readable ZIP archive, or it is damaged.",
  tooSlowForSize:
    "This file takes too long to read for its size: it was not done after {0} s of computing. It may be damaged. Save it again with the program that made it, or split it, and add that.",
  notJson: "The file is not valid JSON.",
} as const;
