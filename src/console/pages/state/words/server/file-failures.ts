// Reasons why a file could not be added, in Japanese.
import type { FILE_FAILURES } from "../../../../../domain/phrases/file-failures.ts";

export const FILE_FAILURES_JA: Readonly<Record<keyof typeof FILE_FAILURES, string>> = {
  empty: "ファイルが空です。追加できる内容がありません。",
  noBytes: "ファイルが空です(0 バイト)。内容のあるファイルを追加してください。",
  emptyArchive:
    "この ZIP には追加できるファイルがありません。隠しファイルか、対応していない形式のファイルだけです。",
  pdfDamaged:
    "PDF が壊れていて、どのページも読み取れません。ファイルを入手し直すか、ビューアーで開いて保存し直したものを追加してください。",
  pdfCutOff:
    "PDF が壊れていて(末尾が欠けています)、どのページも読み取れません。ファイルを入手し直すか、ビューアーで開いて保存し直したものを追加してください。",
  otherContent: "拡張子は .{0} ですが、内容は {1} ではなく、ほかの対応している形式でもありません。",
  officeDamaged: "ファイルが壊れているため、Office ファイルとして読み取れません。",
  pictureDamaged: "画像が壊れているため、読み取れません。",
  pictureHeader: "画像が壊れています。先頭の情報を読み取れません。",
  pictureSmall: "画像が小さすぎるため、文字を読み取れません。",
  zipDamaged: "ZIP として読み取れません。壊れている可能性があります。",
  tooSlowForSize:
    "大きさのわりに読み取りに時間がかかりすぎるため、{0} 秒分の処理で中止しました。壊れている可能性があります。作成したアプリで保存し直すか、分割したものを追加してください。",
  notJson: "ファイルの内容が正しい JSON ではありません。",
};
