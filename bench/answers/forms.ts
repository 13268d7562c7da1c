// Forms for the benchmark, written for it: invoices, receipts, reports and slips as text and OCR have them.
import type { TableQuestion } from "./table-questions.ts";

export interface FormFile {
  readonly filename: string;
  readonly content: string;
  /** Question and what its answer holds. */
  readonly asked: readonly (readonly [question: string, gold: string])[];
}

export const FORMS: readonly FormFile[] = [
  {
    filename: "bakery-receipt.txt",
    content:
      "SUNRISE BAKERY\n48 Harbour Road, Bristol\nTel: 0117 496 0123\n\nReceipt No 004821 Date 14/03/2026\nCashier: Imogen Price\n\n2 x Sourdough 8.40\n1 x Rye loaf 3.95\n\nSubtotal 12.35\nVAT 0.00\nTotal 12.35\nCard payment: 12.35\nThank you for your visit",
    asked: [
      ["What is the total on the bakery receipt?", "12.35"],
      ["What is the receipt number of the Sunrise Bakery?", "004821"],
      ["On what date was the bakery receipt issued?", "14/03/2026"],
      ["Who was the cashier at the Sunrise Bakery?", "Imogen Price"],
      ["What is the telephone number of the bakery?", "0117 496 0123"],
    ],
  },
  {
    filename: "invoice-harrow.txt",
    content:
      "HARROW METALWORKS LTD\n\nInvoice\n\nInvoice Number: HM-20417\nInvoice Date: 2 February 2026\nDue Date: 4 March 2026\nPurchase Order: PO-8831\nBill To: Fenwick Marine\nPrepared by: Colin Marsh\n\nSteel brackets, 40 pieces   £620.00\nWelding, 6 hours   £390.00\n\nSubtotal: £1,010.00\nVAT (20%): £202.00\nAmount Due: £1,212.00\n\nBank: Lloyds  Account: 30481177",
    asked: [
      ["What is the invoice number of Harrow Metalworks?", "HM-20417"],
      ["When is the Harrow invoice due?", "4 March 2026"],
      ["What is the invoice date?", "2 February 2026"],
      ["Who prepared the Harrow invoice?", "Colin Marsh"],
      ["What is the amount due to Harrow Metalworks?", "£1,212.00"],
      ["Which purchase order does the Harrow invoice belong to?", "PO-8831"],
      ["Who is the Harrow invoice billed to?", "Fenwick Marine"],
    ],
  },
  {
    filename: "inspection-report.md",
    content:
      "# Lift inspection report\n\n**Report ID:** LIR-7752\n**Site:** Canary House, level 3\n**Inspector:** Rosa Iglesias\n**Date of inspection:** 2026-01-19\n**Next inspection:** 2026-07-19\n**Load limit:** 630 kg\n**Result:** Passed with remarks\n\nThe door sensor reacts late and should be replaced within a month.",
    asked: [
      ["What is the report ID of the lift inspection?", "LIR-7752"],
      ["Who was the inspector of the lift?", "Rosa Iglesias"],
      ["What is the load limit of the lift?", "630 kg"],
      ["When is the next inspection of the lift?", "2026-07-19"],
      ["What was the result of the lift inspection?", "Passed with remarks"],
    ],
  },
  {
    filename: "請求書_青空商事.txt",
    content:
      "請求書\n\n請求番号：AZ-5530\n発行日：2026年2月10日\n支払期限：2026年3月31日\n宛先：株式会社みなと\n担当者：三浦真央\n\nノートパソコン　2台　240,000円\n設置作業　30,000円\n\n小計：270,000円\n消費税：27,000円\n合計金額：297,000円\n\n振込先：ひかり銀行　本店",
    asked: [
      ["青空商事の請求書の合計金額はいくらですか？", "297,000円"],
      ["請求番号は何番ですか？", "AZ-5530"],
      ["青空商事の請求書の支払期限はいつですか？", "2026年3月31日"],
      ["請求書の発行日はいつですか？", "2026年2月10日"],
      ["青空商事の請求書の担当者は誰ですか？", "三浦真央"],
      ["消費税はいくらですか？", "27,000円"],
      ["請求書の振込先はどこですか？", "ひかり銀行"],
    ],
  },
  {
    filename: "領収書_喫茶すずらん.txt",
    content:
      "喫茶すずらん\n京都市中京区1-2-3\n電話　075-555-0148\n\n領収書\nNo. 20931\n日付　2026年4月5日\n\nコーヒー　2　1,100円\nケーキ　1　620円\n\n合計　1,720円\nお預り　2,000円\nお釣り　280円\n担当　小野",
    asked: [
      ["喫茶すずらんの領収書の合計はいくらですか？", "1,720円"],
      ["喫茶すずらんの電話番号は？", "075-555-0148"],
      ["喫茶すずらんの領収書の日付はいつですか？", "2026年4月5日"],
      ["お釣りはいくらですか？", "280円"],
    ],
  },
  {
    filename: "delivery-slip.txt",
    content:
      "DELIVERY SLIP\nOrder # 77-1034   Carrier Northway Freight\nShip date: 11 May 2026   Weight: 184 kg\nConsignee: Alpine Tools GmbH\nDriver: J. Keller\nNumber of pallets: 3\nReceived by: M. Brandt",
    asked: [
      ["How many pallets are on the delivery slip?", "3"],
      ["Who received the delivery for Alpine Tools?", "M. Brandt"],
      ["What is the weight on the delivery slip?", "184 kg"],
      ["What is the ship date of the delivery?", "11 May 2026"],
      ["Who was the driver of the delivery?", "J. Keller"],
      ["納品書のWeightはいくつですか？", "184 kg"],
    ],
  },
];

export function formQuestions(): readonly TableQuestion[] {
  return FORMS.flatMap(({ filename, asked }) =>
    asked.map(([question, gold]) => ({ question, gold: [gold], table: filename })),
  );
}
