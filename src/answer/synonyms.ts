// Words that mean the same in questions, column names and sentences, in English and Japanese.
import { stemOf } from "../text/words.ts";

const GROUPS: readonly string[] = [
  "population people inhabitants residents 人口 住民",
  "price cost costs fee charge rate amount expense value worth fare toll 価格 値段 料金 金額 費用 単価 代金 運賃 月額 年額 定価",
  "sales sell sold sells revenue turnover income 売上 売上高 収益 収入",
  "profit earnings 利益 純利益",
  "quantity number count units volume 数量 個数 数 点数 販売数 部数",
  "stock inventory 在庫 在庫数",
  "total sum 合計 総計 計 総額",
  "average mean 平均",
  "name title 名前 氏名 名称 品名 商品名 名 件名",
  "person employee staff member 社員 従業員 職員 担当 担当者 人",
  "manager head lead leader boss owner responsible 責任者 部長 リーダー 管理者 担当者 代表 代表者 所長 店長",
  "department division team section 部署 部門 部 課",
  "date day 日付 日 年月日 期日 開催日",
  "deadline due 締切 期限 提出期限 納期 締め切り",
  "year 年 年度",
  "month 月",
  "start begin starting since opened opening founded established launched 開始 開始日 設立 創業 開業 開館",
  "departure departs depart leaves leave leaving 出発 発 発車 出発時刻",
  "arrival arrives arrive arrived 到着 着 到着時刻",
  "end finish finished closing completed 終了 終了日",
  "birthday born birth 生年月日 誕生日",
  "hired joined hire since 入社 入社日 入社年",
  "age old 年齢 歳",
  "city town 都市 市 街",
  "country nation 国 国名",
  "region area territory 地域 地方 エリア",
  "state province prefecture 州 県 都道府県",
  "place location site venue address 場所 所在地 住所 会場 拠点",
  "office branch 支店 支社 営業所 オフィス 事業所",
  "product item article goods 商品 製品 品目 品",
  "category type kind class 種類 種別 分類 区分 カテゴリ カテゴリー",
  "status state progress 状態 状況 ステータス 進捗",
  "area size surface 面積 広さ サイズ 大きさ",
  "height elevation altitude tall 高さ 標高 身長",
  "length duration long distance pages 長さ 期間 時間 距離 所要時間 全長",
  "weight mass heavy tonnage tonnes tons load 重さ 重量 体重 質量",
  "speed velocity fast 速度 速さ",
  "depth deep 深さ",
  "temperature 気温 温度",
  "score points grade mark rating 点 得点 点数 スコア 評価 成績",
  "phone telephone tel 電話 電話番号",
  "email mail e-mail メール メールアドレス",
  "id code identifier コード 番号 品番 型番",
  "company firm vendor supplier customer client manufacturer maker 会社 企業 会社名 取引先 顧客 仕入先 メーカー 得意先",
  "author writer 著者 作者",
  "students pupils enrolment 学生 生徒 児童 生徒数 学生数 児童数",
  "employees headcount staff 従業員数 社員数 人数 人員 職員数",
  "capacity seats 定員 容量 収容人数 座席数",
  "growth change increase 増減 成長 伸び 増減率 成長率",
  "percentage share ratio percent rate 割合 率 比率 構成比",
  "temperature high 最高気温",
  "rain rainfall precipitation 降水量 雨量",
  "visitors guests attendance 来場者 来館者 来場者数 来館者数 入場者数 利用者数",
  "budget 予算 予算額",
  "salary wage pay 給与 給料 年収 月給",
  "river 川 河川",
  "mountain peak 山 山名",
  "lake 湖",
  "station 駅 駅名",
  "school 学校 学校名",
  "room 部屋 会議室 室",
  "language 言語",
  "warranty guarantee 保証 保証期間",
  "color colour 色",
  "order 注文 注文数 受注",
];

/** The groups that contain a word: by stem in English, verbatim in Japanese. */
const GROUPS_OF: ReadonlyMap<string, readonly number[]> = new Map(
  [
    ...Map.groupBy(
      GROUPS.flatMap((group, at) => group.split(" ").map((word) => ({ key: stemOf(word), at }))),
      ({ key }) => key,
    ),
  ].map(([key, found]) => [key, found.map(({ at }) => at)]),
);

export function synonymGroupsOf(key: string): readonly number[] {
  return GROUPS_OF.get(key) ?? [];
}

/** All words of the groups that `word` is in. */
export function synonymsOf(word: string): readonly string[] {
  return synonymGroupsOf(stemOf(word)).flatMap((at) => GROUPS[at]?.split(" ") ?? []);
}
