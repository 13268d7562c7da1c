// Whether other spellings and synonyms help a Japanese search: node bench/synonyms.ts [--data DIR] [--sets a,b] [--sample 200]
//
// Pairs of words of the office: how many of the questions with one word find the sentence with the other first. The
// first pairs were used for choosing how synonyms are ordered, the others were written after that and before they were
// tried. Then nDCG@10 of retrieval sets, with and without the list.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { DEFAULT_CHUNKS } from "../src/chunk/chunk.ts";
import { openLog } from "../src/observe/log.ts";
import { openAnalyser, openSearch, type Search } from "../src/search/search.ts";
import { type Base, openBase } from "./support/base.ts";
import { openCachedEmbed } from "./support/cached-embed.ts";
import { ndcg, type RetrievalSet, readRetrievalSet } from "./support/retrieval-set.ts";

const { values: flags } = parseArgs({
  options: {
    data: { type: "string" },
    sets: { type: "string", default: "ja-tmu-elearning-faq,ja-ameba-faq" },
    sample: { type: "string", default: "200" },
  },
});

/** Asked for, and the sentence that should be found. */
const SPELLINGS = [
  ["申込み", "イベントの申し込みは総務部が受け付けます。"],
  ["手続", "入社の手続きには身分証が必要です。"],
  ["振込", "代金は月末までに振り込みでお願いします。"],
  ["打合せ", "来週の打ち合わせは第二会議室で行います。"],
  ["見積書", "見積もり書は営業担当が作成します。"],
  ["問合せ", "製品についての問い合わせはサポートまで。"],
  ["受取り", "荷物の受け取りには印鑑が要ります。"],
  ["貸出し", "備品の貸し出しは一週間までです。"],
  ["引継ぎ", "退職する前に業務の引き継ぎを済ませます。"],
  ["ソフトウェア", "新しいソフトウエアは情報システム課が入れます。"],
] as const;
const SYNONYMS = [
  ["パソコン", "コンピュータは廊下の棚に戻してください。"],
  ["ボーナス", "賞与は六月と十二月に支給されます。"],
  ["締切", "書類の期限は金曜日の正午です。"],
  ["会議", "毎朝九時からミーティングを開きます。"],
  ["領収書", "交通費のレシートは必ず保管してください。"],
  ["住所", "本社の所在地は横浜市です。"],
  ["値段", "商品の価格は四月に改定されました。"],
  ["郵送", "契約書は二部送付してください。"],
  ["社員", "従業員は健康診断を年に一度受けます。"],
  ["合計", "請求の総額は税込みで表示します。"],
] as const;
const MORE_SPELLINGS = [
  ["取消し", "予約の取り消しは前日までにお願いします。"],
  ["割引", "団体には割り引きがあります。"],
  ["売上げ", "今期の売り上げは目標に届きました。"],
  ["書込み", "掲示板への書き込みは実名でします。"],
  ["組立て", "机の組み立てには工具が必要です。"],
  ["切替え", "回線の切り替えは夜間に行います。"],
  ["立会い", "工事には管理人の立ち会いが要ります。"],
  ["買物", "備品の買い物は近くの店で済ませます。"],
  ["待合せ", "待ち合わせは駅の改札前です。"],
  ["繰越し", "有給の繰り越しは二十日までです。"],
] as const;
const MORE_SYNONYMS = [
  ["期限", "原稿の締め切りは水曜日です。"],
  ["規則", "社内のルールは冊子にまとめてあります。"],
  ["催し", "社員向けのイベントは講堂で開きます。"],
  ["書類", "古い文書は裁断します。"],
  ["費用", "新しい設備のコストは二年で回収できます。"],
  ["製造", "部品の生産は群馬で行っています。"],
  ["出費", "毎月の支出は経理が集計します。"],
  ["助言", "先輩からのアドバイスを記録します。"],
  ["危険", "投資のリスクを説明します。"],
  ["計画", "来年度のプランは役員会で決まります。"],
] as const;
const OTHERS = [
  "駐車場の利用は許可を受けた車に限ります。",
  "エレベーターの点検は毎月第一月曜日です。",
  "食堂は十一時半から開いています。",
  "名刺は受付の隣で印刷できます。",
  "鍵は警備室に返してください。",
  "出張の報告は三日以内に書きます。",
  "暖房は二十度に設定されています。",
  "避難訓練は秋に行います。",
  "ごみは分別して捨ててください。",
  "来客には入館証を渡します。",
  "コピー用紙は倉庫の奥にあります。",
  "パスワードは三か月ごとに変更します。",
  "電話は三回鳴る前に取ります。",
  "残業は事前に上司の承認が必要です。",
  "研修の資料は共有フォルダーにあります。",
  "制服は洗濯してから返却します。",
  "新製品の発表は来春の予定です。",
  "図書室では飲食ができません。",
  "自転車は裏の駐輪場に停めてください。",
  "会社の創立記念日は五月十日です。",
  "棚卸しは年度末に行われます。",
  "保険証の再発行は人事部に頼みます。",
  "窓は退社する人が閉めます。",
  "監査は外部の法人に任せています。",
  "花壇の水やりは当番制です。",
  "広報誌は年に四回発行されます。",
  "プリンターの故障は保守会社に連絡します。",
  "忘れ物は一か月間預かります。",
  "部長は火曜日に大阪へ行きます。",
  "在庫が減ったら購買課が発注します。",
];

const log = openLog({ level: "error" });
const embed = openCachedEmbed();

function openWithout({ store }: Base): Search {
  return openSearch({ store, embed, analyser: openAnalyser(), log });
}

async function foundFirst(search: Search, pairs: readonly (readonly [string, string])[]) {
  const missed: string[] = [];
  for (const [text, sentence] of pairs) {
    const { passages } = await search.search({ text, limit: 1 });
    if (passages[0]?.filename !== sentence) missed.push(text);
  }
  const rest = missed.length > 0 ? ` (not: ${missed.join(" ")})` : "";
  return `${pairs.length - missed.length} of ${pairs.length}${rest}`;
}

async function gains(search: Search, { queries, judged }: RetrievalSet): Promise<number[]> {
  const all: number[] = [];
  for (const { id, text } of queries) {
    const { passages } = await search.search({ text, limit: 30 });
    const names = [...new Set(passages.map(({ filename }) => filename))];
    all.push(ndcg(names, judged.get(id) ?? new Map()));
  }
  return all;
}

const mean = (all: readonly number[]) => all.reduce((sum, each) => sum + each, 0) / all.length;

for (const [name, spellings, synonyms] of [
  ["seen", SPELLINGS, SYNONYMS],
  ["unseen", MORE_SPELLINGS, MORE_SYNONYMS],
] as const) {
  const sentences = [...spellings, ...synonyms].map(([, sentence]) => sentence);
  const corpus = [...sentences, ...OTHERS].map((text) => ({ id: text, title: "", text }));
  const base = await openBase({ name, corpus, queries: [], judged: new Map() }, embed, {
    size: DEFAULT_CHUNKS,
  });
  for (const [kind, pairs] of Object.entries({ spellings, synonyms })) {
    const before = await foundFirst(openWithout(base), pairs);
    const after = await foundFirst(base.search, pairs);
    process.stdout.write(`${name} ${kind}: ${before} without, ${after} with\n`);
  }
  await base.close();
}

for (const name of flags.data ? flags.sets.split(",") : []) {
  const set = readRetrievalSet(join(flags.data ?? "", "retrieval"), name, Number(flags.sample));
  const at = await openBase(set, embed, { size: DEFAULT_CHUNKS });
  const [before, after] = [await gains(openWithout(at), set), await gains(at.search, set)];
  await at.close();
  const changes = after.map((gain, query) => gain - (before[query] ?? 0));
  const change = mean(changes);
  const error = Math.sqrt(mean(changes.map((each) => (each - change) ** 2)) / changes.length);
  const up = changes.filter((each) => each > 1e-9).length;
  const down = changes.filter((each) => each < -1e-9).length;
  process.stdout.write(
    `${name}: ${mean(before).toFixed(4)} → ${mean(after).toFixed(4)}, ` +
      `${(1000 * change).toFixed(1)} ± ${(1000 * error).toFixed(1)} thousandths, ${up} up, ${down} down\n`,
  );
}
await embed.close();
