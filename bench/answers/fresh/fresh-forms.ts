// Forms with other layouts: two columns, labels above their values, tables of labels, what a scanner makes of them.
import { docxTable, heading, makeDocx, paragraph } from "../../../test/support/files/office.ts";
import type { FreshFile } from "./fresh-file.ts";

const HOTEL = `GRAND HOTEL LINDENHOF
Seestrasse 14 · 6004 Luzern

Guest: Ms Amelia Thorne            Room: 412
Arrival: 08.05.2026                Departure: 11.05.2026
Folio No.: 88213                   Cashier: R. Zgraggen

08.05. Double room, breakfast               CHF 264.00
09.05. Double room, breakfast               CHF 264.00
10.05. Double room, breakfast               CHF 264.00
10.05. Minibar                              CHF 17.50
       City tax                             CHF 11.70

TOTAL                                       CHF 821.20
Paid by Visa ending 4417
Incl. VAT 3.8 %                             CHF 29.63
`;

const PERMIT = makeDocx({
  body: `${heading(1, "Building permit")}${docxTable([
    ["Permit no.", "BP-2026-0419"],
    ["Applicant", "Juniper Housing Co-operative"],
    ["Plot", "117/3, Weaver Lane"],
    ["Type of works", "Attic conversion"],
    ["Date of issue", "6 May 2026"],
    ["Valid until", "5 May 2029"],
    ["Case officer", "H. Lindqvist"],
    ["Fee", "EUR 1,380.00"],
  ])}${paragraph("Works must begin within one year. The neighbours have been heard.")}`,
});

const LAB = `Laboratory report

Patient
Rosalind Vance

Date of birth
14.02.1979

Sample taken
03.06.2026 08:20

Haemoglobin    13.4 g/dl    (12.0 - 16.0)
Leucocytes     6.1 /nl      (4.0 - 10.0)
Ferritin       18 ug/l      (15 - 150)
TSH            2.3 mU/l     (0.4 - 4.0)

Physician: Dr. Okafor
Remarks: none
`;

const PARCEL = `PARCEL RECEIPT

Tracking number: 00 3404 3416 1094 2218 77
Sender: Atelier Brandt, Leipzig
Recipient: Foto Kessler, Graz
Weight: 2.35 kg
Dimensions: 40 x 30 x 12 cm
Insured value: EUR 500
Postage paid: EUR 18.49
Handed in: 2026-04-22 16:05
`;

const TICKET_JA = `宿泊明細書

お客様名　　森田 千夏 様
ご利用日　　2026年8月1日～2026年8月3日
部屋番号　　705
人数　　　　2名

宿泊料　　　　44,000円
夕食　　　　　12,600円
入湯税　　　　　 300円
─────────────
お支払い合計　56,900円
お支払い方法　クレジットカード

旅館 湖畔荘　電話 0557-55-0192
`;

const NOTICE_JA = `# 水道使用量のお知らせ

お客様番号：4471-0928
ご使用場所：緑町2丁目8-5
使用期間：2026年4月11日～6月10日
今回の検針値：1,284㎥
前回の検針値：1,241㎥
ご使用量：43㎥
請求予定額：9,768円
口座振替日：2026年7月6日
次回検針予定日：2026年8月9日
検針員：倉田
`;

const APPLICATION_JA = `<!doctype html><title>休暇届</title><h1>休暇届</h1><table>
<tr><td>申請日</td><td>2026年3月2日</td><td>所属</td><td>製造二課</td></tr>
<tr><td>氏名</td><td>平井 拓也</td><td>社員番号</td><td>30817</td></tr>
<tr><td>休暇の種類</td><td>年次有給休暇</td><td>日数</td><td>3日</td></tr>
<tr><td>期間</td><td>2026年3月18日～3月20日</td><td>承認者</td><td>菅原 課長</td></tr></table>
<p>緊急の連絡先：090-5555-0176</p>`;

export const FRESH_FORMS: readonly FreshFile[] = [
  {
    filename: "lindenhof-bill.txt",
    content: HOTEL,
    asked: [
      ["What is the total of the Lindenhof hotel bill?", "821.20"],
      ["Which room did Amelia Thorne have?", "412"],
      ["When did Amelia Thorne depart from the Lindenhof?", "11.05.2026"],
      ["What is the folio number of the hotel bill?", "88213"],
      ["How much was the minibar?", "17.50"],
      ["How much city tax was paid at the Lindenhof?", "11.70"],
    ],
  },
  {
    filename: "building-permit.docx",
    content: PERMIT,
    asked: [
      ["What is the number of the building permit?", "BP-2026-0419"],
      ["Who applied for the building permit?", "Juniper Housing Co-operative"],
      ["Until when is the building permit valid?", "5 May 2029"],
      ["How much is the fee for the permit?", "1,380.00"],
      ["Who is the case officer?", "H. Lindqvist"],
      ["What type of works does the permit cover?", "Attic conversion"],
    ],
  },
  {
    filename: "lab-report.txt",
    content: LAB,
    asked: [
      ["What is Rosalind Vance's date of birth?", "14.02.1979"],
      ["What is the ferritin value?", "18"],
      ["What is the haemoglobin of the patient?", "13.4"],
      ["Who is the physician on the laboratory report?", "Okafor"],
      ["When was the sample taken?", "03.06.2026"],
    ],
  },
  {
    filename: "parcel-receipt.txt",
    content: PARCEL,
    asked: [
      ["What is the tracking number of the parcel?", "00 3404 3416 1094 2218 77"],
      ["Who is the recipient of the parcel?", "Foto Kessler"],
      ["How much does the parcel weigh?", "2.35 kg"],
      ["For how much is the parcel insured?", "500"],
      ["What are the dimensions of the parcel?", "40 x 30 x 12"],
      ["How much postage was paid?", "18.49"],
    ],
  },
  {
    filename: "kohanso.txt",
    content: TICKET_JA,
    asked: [
      ["湖畔荘の支払い合計はいくらですか？", "56,900円"],
      ["森田千夏様の部屋番号は何番ですか？", "705"],
      ["入湯税はいくらですか？", "300円"],
      ["旅館湖畔荘の電話番号は？", "0557-55-0192"],
      ["夕食の料金はいくらですか？", "12,600円"],
      ["宿泊の支払い方法は何ですか？", "クレジットカード"],
    ],
  },
  {
    filename: "suido.md",
    content: NOTICE_JA,
    asked: [
      ["水道の使用量はいくらですか？", "43㎥"],
      ["水道料金の請求予定額はいくらですか？", "9,768円"],
      ["口座振替日はいつですか？", "2026年7月6日"],
      ["水道の次回の検針はいつですか？", "2026年8月9日"],
      ["水道のお客様番号は何番ですか？", "4471-0928"],
      ["検針員は誰ですか？", "倉田"],
    ],
  },
  {
    filename: "kyuka.html",
    content: APPLICATION_JA,
    asked: [
      ["平井拓也さんの社員番号は？", "30817"],
      ["休暇届の承認者は誰ですか？", "菅原"],
      ["休暇の日数は何日ですか？", "3日"],
      ["休暇の種類は何ですか？", "年次有給休暇"],
      ["平井さんの所属はどこですか？", "製造二課"],
      ["休暇中の緊急の連絡先は？", "090-5555-0176"],
    ],
  },
];
