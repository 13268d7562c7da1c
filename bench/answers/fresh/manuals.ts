// Manuals, written for the benchmark: options, questions and answers, terms, steps with commands, as real ones have them.
import type { FreshFile } from "./fresh-file.ts";

const page = (title: string, body: string) =>
  `<!doctype html><html><head><title>${title}</title></head><body>${body}</body></html>`;
const terms = (pairs: readonly (readonly [string, string])[]) =>
  `<dl>${pairs.map(([term, text]) => `<dt>${term}</dt><dd><p>${text}</p></dd>`).join("")}</dl>`;

const TIDEWRITE = page(
  "tidewrite(1)",
  `<h1>tidewrite(1) Manual Page</h1><h2>NAME</h2><p>tidewrite - copy a folder to a remote vault and keep both sides alike</p>
<h2>SYNOPSIS</h2><pre>tidewrite [options] SOURCE VAULT</pre>
<h2>DESCRIPTION</h2><p>tidewrite compares two folders and sends what has changed. It reads the list of the last run first, so that a file that was neither touched nor renamed is not opened at all. When the connection breaks, the next run begins where the last one ended.</p>
<p>Files that were removed at the source stay in the vault for thirty days. After that the nightly sweep takes them away.</p>
<h2>OPTIONS</h2>${terms([
    [
      "-c <em>rate</em><br>--ceiling=<em>rate</em>",
      "Never send faster than this many kilobytes a second. The default is no limit.",
    ],
    [
      "-p, --pretend",
      "Print what would be sent, but do not send it. Nothing is written at either side.",
    ],
    [
      "-k <em>days</em>, --keep=<em>days</em>",
      "How long the vault keeps a file after it was removed at the source. Zero removes it at once.",
    ],
    [
      "--skip=<em>pattern</em>",
      "Leave out whatever matches the pattern. May be given more than once; a later pattern wins over an earlier one.",
    ],
    [
      "--no-times",
      "Do not carry over modification times. Use this where the clock of the vault cannot be trusted.",
    ],
    ["-q, --quiet", "Say nothing unless something failed."],
    [
      "--seal",
      "Encrypt file names as well as their contents. A sealed vault cannot be browsed without the key.",
    ],
  ])}
<h2>EXIT STATUS</h2>${terms([
    ["0", "Everything was sent, or there was nothing to send."],
    ["3", "Some files could not be read; the others were sent."],
    ["7", "The vault refused the key."],
  ])}
<h2>EXAMPLES</h2>${terms([
    [
      "Sending a photo folder at night",
      "Limit the rate and log to a file: run it from cron with the options shown here.",
    ],
  ])}<pre>tidewrite -c 400 -q ~/photos vault:photos</pre>
<p>To see beforehand which files have changed since the last run:</p><pre>tidewrite --pretend ~/work vault:work</pre>
<h2>FILES</h2><p>Settings are read from ~/.config/tidewrite/settings.toml, and the list of the last run is kept in ~/.cache/tidewrite/last.db.</p>`,
);

const TIDEWRITE_FAQ = page(
  "tidewrite FAQ",
  `<h1>Frequently asked questions</h1>
<h2>Why is the first run so slow?</h2><p>There is no list of an earlier run yet, so each file has to be opened and its checksum taken. Later runs look at sizes and dates only.</p>
<h2>How can I restore a single file?</h2><p>Name it after the vault and send it the other way round. Add --at to get the version of a certain day.</p><pre>tidewrite vault:photos/2024/lake.jpg ~/restored</pre>
<h2>Can two computers share one vault?</h2><p>Yes, as long as each of them writes to a folder of its own. Two writers in one folder are refused with status 9.</p>
<h2>Where did the name come from?</h2><p>Ruth Okonjo, who wrote the first version in 2011, lived on an estuary and could only use the line at low tide.</p>
<h2>What do I do when the key is lost?</h2><p>A sealed vault cannot be opened without it, and nobody else has a copy. Print the recovery words when you create a vault, and put them in a safe place.</p>
<h2>Does it run on Windows?</h2><p>Not by itself. It works inside of the Linux subsystem, but links between files are turned into copies there.</p>`,
);

const RIVET_README = `# rivet-queue

A small job queue for one machine. Jobs live in a single file, survive a crash and run in the order of their due time.

## Install

\`\`\`sh
pip install rivet-queue
\`\`\`

It needs Python 3.10 or newer and nothing else.

## Quick start

Create a queue and add a job:

\`\`\`python
from rivet import Queue
q = Queue("jobs.db")
q.add("resize", {"file": "a.png"})
\`\`\`

Start a worker in another terminal. It takes one job at a time:

\`\`\`sh
rivet work jobs.db
\`\`\`

## Retries

A job that raises an error is tried again after 20 seconds, then after two minutes, then after ten. After the third failure it is moved to the *parked* list and waits for a person.

To put parked jobs back in the queue:

\`\`\`sh
rivet unpark jobs.db --all
\`\`\`

## Settings

| Setting | Default | Meaning |
|---|---|---|
| \`RIVET_WORKERS\` | 1 | how many jobs run at a time |
| \`RIVET_LEASE\` | 45s | a job that takes longer is given to another worker |
| \`RIVET_LOG\` | warn | debug, info, warn or error |
| \`RIVET_PARK_AFTER\` | 3 | failures before a job is parked |

## Limits

A job's payload may have up to 256 KB. The queue file is locked while a job is taken, so a network share is no good place for it.

## Licence

MIT. Written by Pavel Dvořák and contributors.
`;

const LEAVE = `# Staff handbook: leave

## Annual leave

Everyone has 27 days of annual leave. Those who have been with us for ten years or more have three days on top. Leave that is not taken by the end of March of the following year lapses.

Requests go to your team lead in the rota tool at least two weeks ahead. Single days can be asked for on the day before.

## Sickness

Call your team lead before 9 o'clock on the first day. A doctor's note is needed from the fourth day on. Holidays during which you fall ill are given back if there is a note for each day.

## Parental leave

Parental leave is paid in full for the first sixteen weeks and at 60 % for another ten. It can be taken in up to three parts until the child is four.

## Sabbatical

After five years you may take up to six months off without pay. Health insurance goes on; the pension scheme does not. Apply to the people team half a year before it begins.
`;

const GLOSSARY = page(
  "Harbour glossary",
  `<h1>Glossary of the harbour office</h1>${terms([
    [
      "berth",
      "The place at a quay where a vessel lies. Each one has a number that is painted on the wall.",
    ],
    ["bollard", "A post on the quay to which lines are made fast."],
    ["demurrage", "What a charterer owes when a vessel is kept longer than was agreed."],
    ["draught", "How deep a vessel lies in the water, measured from the waterline to the keel."],
    ["lighter", "A flat barge that carries cargo between a quay and a ship at anchor."],
    ["pilot flag", "The red and white flag that is hoisted while a pilot is on board."],
    [
      "roadstead",
      "A sheltered stretch of water outside of the harbour where ships wait at anchor.",
    ],
    ["slack water", "The short time between the tides in which the current stands still."],
  ])}<p>Words of the customs office are explained in a list of their own.</p>`,
);

const SCANNER_JA = page(
  "スキャナー SN-40 取扱説明書",
  `<h1>スキャナー SN-40 取扱説明書</h1><h2>各部の名称</h2>${terms([
    ["電源ボタン", "2秒以上押すと電源が入ります。もう一度押すと待機状態になります。"],
    ["給紙トレイ", "原稿を最大50枚までセットできます。厚紙は1枚ずつ入れてください。"],
    [
      "状態ランプ",
      "橙色に点滅しているときは紙が詰まっています。緑色は読み取りの準備ができたことを示します。",
    ],
  ])}<h2>原稿を読み取る</h2><ol><li>原稿の表を手前に向けて給紙トレイに入れます。</li><li>読み取りボタンを押します。</li><li>終わると、画像がパソコンの「スキャン」フォルダーに保存されます。</li></ol>
<h2>紙が詰まったとき</h2><p>電源を切り、上のカバーを開けて、紙をゆっくり手前に引き抜いてください。無理に引くとローラーが傷みます。</p>
<h2>画像に縦の線が入る場合</h2><p>ガラス面が汚れています。付属の布に少量の水を含ませて拭いてください。アルコールは使わないでください。</p>
<h2>無線で接続する</h2><p>背面の接続ボタンを5秒間押し、ランプが青く点滅したら、ルーターのボタンを押します。接続が終わるまで約2分かかります。</p>
<h2>お手入れ</h2><p>ローラーは1か月に1回、または2,000枚ごとに清掃してください。ローラーの寿命は約10万枚です。</p>
<h2>保証</h2><p>保証期間はお買い上げの日から3年間です。消耗品は保証の対象外です。修理のご依頼は、お買い上げの販売店へお持ちください。</p>`,
);

const SYNC_JA = `# 同期ツール「みなも」よくある質問

## 文字が正しく表示されない

ファイル名の文字コードが違うと、文字が化けることがあります。設定の「文字コード」を UTF-8 にして、もう一度読み込んでください。

## 空き容量を確かめたい

次のコマンドを実行すると、保管庫ごとの使用量と残りの容量が表示されます。

\`\`\`
minamo usage --all
\`\`\`

## 同期が途中で止まる

一度に送れるファイルは4GBまでです。それより大きいファイルは自動で分けられますが、古い版では止まります。版を確かめるには \`minamo --version\` を使います。

## 削除したファイルを戻すには

削除から14日以内であれば、ごみ箱から戻せます。

\`\`\`
minamo trash restore ファイル名
\`\`\`

## 料金はかかりますか

個人での利用は無料です。会社で使う場合は、1人あたり月に480円をいただきます。

## スナップショットとは何ですか

ある時点の保管庫の内容をそのまま残したものです。毎日午前3時に作られ、30日間保存されます。
`;

const VISIT_JA = `# 工場見学のご案内

見学は火曜日と木曜日の午前10時から行います。所要時間は約90分です。

お申し込みは、希望日の10日前までに電話でお願いします。定員は1回25名で、小学生以下のお子さまは保護者と一緒にご参加ください。

見学の途中での撮影は、第二工場を除いて自由です。安全のため、かかとの高い靴ではご入場いただけません。

雨の日も行いますが、台風で電車が止まったときは中止します。中止の場合は、当日の朝8時までにご連絡します。
`;

export const MANUALS: readonly FreshFile[] = [
  {
    filename: "tidewrite.html",
    content: TIDEWRITE,
    asked: [
      ["What does tidewrite do?", "copy a folder to a remote vault"],
      ["Which option of tidewrite prints what would be sent without sending it?", "--pretend"],
      ["How do I limit how fast tidewrite sends?", "--ceiling"],
      ["Which option also encrypts file names?", "--seal"],
      ["How do I leave out files that match a pattern?", "--skip"],
      ["What does exit status 7 mean?", "refused the key"],
      ["What does --no-times do?", "Do not carry over modification times"],
      ["How long do removed files stay in the vault?", "thirty days"],
      ["Where does tidewrite read its settings from?", "settings.toml"],
      [
        "How do I see beforehand which files have changed since the last run?",
        "tidewrite --pretend ~/work",
      ],
      ["What happens when the connection breaks?", "begins where the last one ended"],
      ["tidewriteで名前も暗号化するオプションは何ですか？", "--seal"],
    ],
  },
  {
    filename: "tidewrite-faq.html",
    content: TIDEWRITE_FAQ,
    asked: [
      ["Why is the first run of tidewrite slow?", "no list of an earlier run"],
      ["How do I restore a single file from the vault?", "send it the other way round"],
      ["Who wrote the first version of tidewrite?", "Ruth Okonjo"],
      ["Can two computers use the same vault?", "folder of its own"],
      ["What should I do if I lost the key?", "cannot be opened without it"],
      ["Does tidewrite work on Windows?", "Linux subsystem"],
    ],
  },
  {
    filename: "rivet-queue.md",
    content: RIVET_README,
    asked: [
      ["How do I install rivet-queue?", "pip install rivet-queue"],
      ["What is rivet-queue?", "small job queue for one machine"],
      ["How do I start a worker?", "rivet work jobs.db"],
      ["How do I put parked jobs back in the queue?", "rivet unpark jobs.db --all"],
      ["When is a failed job tried again?", "20 seconds"],
      ["What happens to a job after the third failure?", "parked"],
      ["How large may a job's payload be?", "256 KB"],
      ["Which Python version does rivet-queue need?", "3.10"],
      ["What is the default of RIVET_LEASE?", "45s"],
      ["What does RIVET_WORKERS mean?", "how many jobs run at a time"],
      ["Which licence does rivet-queue have?", "MIT"],
      ["Why should the queue file not be on a network share?", "locked while a job is taken"],
    ],
  },
  {
    filename: "staff-handbook-leave.md",
    content: LEAVE,
    asked: [
      ["How many days of annual leave do I have?", "27 days"],
      ["When does leave that is not taken lapse?", "end of March"],
      ["From which day on is a doctor's note needed?", "fourth day"],
      ["How long is parental leave paid in full?", "sixteen weeks"],
      ["How long can a sabbatical be?", "six months"],
      ["Who do I apply to for a sabbatical?", "people team"],
      ["What happens to the pension scheme during a sabbatical?", "does not"],
      ["病気のときの診断書は何日目から必要ですか？", "fourth day"],
    ],
  },
  {
    filename: "harbour-glossary.html",
    content: GLOSSARY,
    asked: [
      ["What is a bollard?", "post on the quay"],
      ["What does demurrage mean?", "kept longer than was agreed"],
      ["What is slack water?", "short time between the tides"],
      ["What is the draught of a vessel?", "how deep a vessel lies"],
      ["What is a lighter?", "flat barge"],
      ["Where do ships wait at anchor?", "roadstead"],
      ["Which flag is hoisted while a pilot is on board?", "red and white flag"],
    ],
  },
  {
    filename: "scanner-sn40.html",
    content: SCANNER_JA,
    asked: [
      ["SN-40の給紙トレイには何枚まで入りますか？", "50枚"],
      ["状態ランプが橙色に点滅するのはどういうときですか？", "紙が詰まって"],
      ["紙が詰まったときはどうすればよいですか？", "カバーを開けて"],
      ["画像に縦の線が入るのはなぜですか？", "ガラス面が汚れて"],
      ["ローラーの寿命はどのくらいですか？", "10万枚"],
      ["スキャナーの保証期間は何年ですか？", "3年間"],
      ["無線で接続する方法は？", "接続ボタンを5秒間"],
      ["読み取った画像はどこに保存されますか？", "「スキャン」フォルダー"],
      ["ローラーはどのくらいの頻度で清掃しますか？", "1か月に1回"],
      ["How long is the warranty of the SN-40 scanner?", "3年間"],
    ],
  },
  {
    filename: "minamo-faq.md",
    content: SYNC_JA,
    asked: [
      ["文字化けを直すにはどうすればよいですか？", "UTF-8"],
      ["空き容量を調べるコマンドは何ですか？", "minamo usage --all"],
      ["一度に送れるファイルの大きさは？", "4GB"],
      ["削除したファイルは何日以内なら戻せますか？", "14日以内"],
      ["みなもを会社で使う場合の料金はいくらですか？", "480円"],
      ["スナップショットとは何ですか？", "ある時点の保管庫の内容"],
      ["版を確かめるにはどうしますか？", "minamo --version"],
      ["スナップショットは何時に作られますか？", "午前3時"],
    ],
  },
  {
    filename: "factory-visit.md",
    content: VISIT_JA,
    asked: [
      ["工場見学は何曜日に行われますか？", "火曜日と木曜日"],
      ["見学の所要時間はどのくらいですか？", "90分"],
      ["見学の申し込みはいつまでですか？", "10日前"],
      ["見学の定員は何名ですか？", "25名"],
      ["台風のときは見学はどうなりますか？", "中止"],
      ["撮影できない工場はどこですか？", "第二工場"],
    ],
  },
];
