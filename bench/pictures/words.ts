// What is written on the pictures: a seeded choice of sentences, names, numbers and labels.

const SENTENCES = [
  "The harbour office moved to a new building beside the railway station last autumn.",
  "Members vote by post, and every ballot is counted twice before the result is published.",
  "Repairs to the northern bridge will take eleven weeks and cost about four million.",
  "A spokesman declined to say whether the factory would close before the winter.",
  "The museum keeps its older drawings in a cool room that visitors seldom see.",
  "Farmers in the valley expect a smaller harvest because the spring was dry.",
  "The committee recommends that inspections be carried out at least twice a year.",
  "Students who miss the deadline may submit their essays with a written explanation.",
  "Engineers measured the pressure at nine stations and compared it with the forecast.",
  "Water from the reservoir reaches the city through a tunnel built in 1931.",
  "The library lends bicycles as well as books, and both are returned at the same desk.",
  "Passengers with tickets for the cancelled ferry will receive a refund by Friday.",
  "Her second novel describes a village doctor who refuses to leave during the flood.",
  "The council approved the budget after a debate that lasted until midnight.",
  "New rules require shops to display the price of every item for each kilogram.",
  "Volunteers planted eight hundred trees along the old canal during the weekend.",
  "The laboratory found no trace of the chemical in samples taken downstream.",
  "Tenants must give three months of notice unless the contract says otherwise.",
  "A small orchestra played on the square while the mayor opened the market.",
  "The report concludes that traffic could fall by a quarter within five years.",
];

const JAPANESE = [
  "申請書は三月末までに窓口へ提出してください。",
  "会議の議事録は翌日までに共有されます。",
  "この装置は定期的に点検する必要があります。",
  "新しい図書館は駅の北側に建設される予定です。",
  "利用者は画面の右上から言語を変更できます。",
  "売上は前年の同じ時期より一割ほど増加した。",
  "災害時の連絡先は掲示板に記載されています。",
  "契約の内容を確認してから署名してください。",
  "山の上から見える町の灯りはとても美しかった。",
  "彼は古い手紙を机の引き出しから取り出した。",
  "雨が降り続いたため試合は来週に延期された。",
  "データは毎晩自動的に保存されるので安心です。",
];

const LABELS = [
  "Payment gateway",
  "Message queue",
  "Order service",
  "Load balancer",
  "Audit log",
  "User profile",
  "Report builder",
  "Cache layer",
  "Token issuer",
  "Search index",
  "Retry policy",
  "Primary database",
  "Backup window",
  "Edge network",
  "Billing engine",
  "Health checks",
];

const JAPANESE_LABELS = [
  "認証基盤",
  "受注管理",
  "在庫確認",
  "配送手配",
  "顧客情報",
  "請求処理",
  "監視通知",
  "復旧手順",
  "負荷分散",
  "運用担当",
];

const ITEMS = [
  "Paint brush 40mm",
  "Spray paint black",
  "Wood screws box",
  "Masking tape",
  "Green tea 500ml",
  "Rice crackers",
  "Light bulb LED",
  "Copper wire 5m",
  "Garden gloves",
  "Hand soap refill",
];

export type Pick = ReturnType<typeof openPick>;

/** The same choices for the same seed. */
export function openPick(seed: number) {
  const held = { state: seed * 2_654_435_761 + 12_345 };
  const random = () => {
    held.state = (Math.imul(held.state ^ (held.state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) | 0;
    return ((held.state ^ (held.state >>> 13)) >>> 0) / 2 ** 32;
  };
  const some = <Value>(all: readonly Value[], count: number) =>
    all
      .map((value) => ({ value, rank: random() }))
      .sort((a, b) => a.rank - b.rank)
      .slice(0, count)
      .map(({ value }) => value);
  const one = <Value>(all: readonly Value[]) => some(all, 1)[0] as Value;
  const between = (least: number, most: number) =>
    least + Math.floor(random() * (most - least + 1));
  return {
    one,
    between,
    random,
    sentences: (count: number) => some(SENTENCES, count),
    japanese: (count: number) => some(JAPANESE, count),
    labels: (count: number) => some(LABELS, count),
    japaneseLabels: (count: number) => some(JAPANESE_LABELS, count),
    items: (count: number) => some(ITEMS, count),
    price: () => `${between(1, 90)}.${String(between(0, 99)).padStart(2, "0")}`,
    code: () => `${one(["INV", "CS", "REF", "PO"])}-${between(10_000, 99_999)}`,
    date: () =>
      `${String(between(1, 28)).padStart(2, "0")}/${String(between(1, 12)).padStart(2, "0")}/${between(2015, 2026)}`,
  };
}
