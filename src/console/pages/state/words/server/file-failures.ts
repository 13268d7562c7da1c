// Reasons why a file could not be added, in Japanese.
import { type FileFailure, readFileFailure } from "../../../../../domain/phrases/file-failures.ts";
import { fillIn } from "../../../../../domain/phrases/phrases.ts";

export const FILE_FAILURES_JA: Readonly<Record<FileFailure, string>> = {
  empty: "ファイルが空です。追加できる内容がありません。",
  noBytes: "ファイルが空です(0 バイト)。内容のあるファイルを追加してください。",
  emptyArchive:
    "この ZIP には追加できるファイルがありません。隠しファイルか、対応していない形式のファイルだけです。",
  pdfDamaged:
    "PDF が壊れていて{0}、どのページも読み取れません。ファイルを入手し直すか、ビューアーで開いて保存し直したものを追加してください。",
  otherContent: "拡張子は .{0} ですが、内容は {1} ではなく、ほかの対応している形式でもありません。",
  oldOffice:
    "古いバイナリ形式の Office ファイルです(.doc、.xls、.ppt)。DOCX、XLSX、PPTX のいずれかで保存し直したものを追加してください。",
  officeDamaged: "ファイルが壊れているため、Office ファイルとして読み取れません。",
  pictureDamaged: "画像が壊れているため、読み取れません。",
  pictureHeader: "画像が壊れています。先頭の情報を読み取れません。",
  pictureSmall: "画像が小さすぎるため、文字を読み取れません。",
  zipDamaged: "ZIP として読み取れません。壊れている可能性があります。",
  notJson: "ファイルの内容が正しい JSON ではありません。",
};

/** Parts that the server inserts into a sentence. */
const PARTS: ReadonlyMap<string, string> = new Map([
  [": its end is missing", "(末尾が欠けています)"],
]);

export function sayFileFailure(words: string): string | undefined {
  const known = readFileFailure(words);
  if (known === undefined) return undefined;
  const values = known.values.map((value) => PARTS.get(value) ?? value);
  return fillIn(FILE_FAILURES_JA[known.name], values);
}
