// Every charset with texts of its languages, from a line to a page: the text is what was written.
import { expect, test } from "vitest";
import { decodeText } from "./charset.ts";

const TEXTS: Readonly<Record<string, string>> = {
  ja: "灯台守は毎晩、日が暮れると階段を上り、大きなランプに火をともします。船は沖からその光を見て、港の入口を知りました。霧の深い夜には鐘も鳴らされ、漁師たちは安心して帰ってきたそうです。今では機械が仕事をしていますが、塔は町の人々に大切にされています。",
  hans: "守灯塔的人每天晚上走上楼梯，点亮大灯。船从很远的地方看到这道光，就知道港口在哪里。有雾的夜里还要敲钟，打鱼的人听到以后可以放心回家。现在这些工作由机器来做，但是这座塔仍然是城市的一部分，受到人们的喜爱。",
  hant: "守燈塔的人每天晚上走上樓梯，點亮大燈。船從很遠的地方看到這道光，就知道港口在哪裡。有霧的夜裡還要敲鐘，打魚的人聽到以後可以放心回家。現在這些工作由機器來做，但是這座塔仍然是城市的一部分，受到人們的喜愛。",
  ko: "등대지기는 매일 저녁 해가 지면 계단을 올라가 큰 등에 불을 켭니다. 배들은 멀리서 그 빛을 보고 항구가 어디에 있는지 알았습니다. 안개가 짙은 밤에는 종도 울렸고 어부들은 안심하고 돌아올 수 있었습니다.",
  ru: "Смотритель маяка каждый вечер поднимался по лестнице и зажигал большую лампу. Корабли издалека видели этот свет и знали, где находится гавань. В туманные ночи звонил колокол, и рыбаки спокойно возвращались домой.",
  uk: "Доглядач маяка щовечора піднімався сходами й запалював велику лампу. Кораблі здалеку бачили це світло і знали, де знаходиться гавань. У туманні ночі дзвонив дзвін, і рибалки спокійно поверталися додому.",
  el: "Ο φύλακας του φάρου ανέβαινε κάθε βράδυ τη σκάλα και άναβε τη μεγάλη λάμπα. Τα πλοία έβλεπαν το φως από μακριά και ήξεραν πού είναι το λιμάνι. Τις νύχτες με ομίχλη χτυπούσε και η καμπάνα.",
  he: "שומר המגדלור עלה כל ערב במדרגות והדליק את המנורה הגדולה. האוניות ראו את האור מרחוק וידעו היכן נמצא הנמל. בלילות של ערפל צלצל גם הפעמון והדייגים חזרו הביתה בשלום.",
  ar: "كان حارس المنارة يصعد الدرج كل مساء ويشعل المصباح الكبير. كانت السفن ترى الضوء من بعيد وتعرف أين يقع الميناء. وفي ليالي الضباب كان الجرس يدق أيضا فيعود الصيادون إلى بيوتهم بأمان.",
  th: "ผู้ดูแลประภาคารขึ้นบันไดทุกเย็นและจุดตะเกียงดวงใหญ่ เรือมองเห็นแสงจากที่ไกลและรู้ว่าท่าเรืออยู่ที่ไหน ในคืนที่มีหมอกจะมีเสียงระฆังดังด้วย",
  fr: "Le gardien du phare montait chaque soir l’escalier et allumait la grande lampe. Les bateaux voyaient la lumière de très loin et savaient où était l’entrée du port. Les nuits de brume, la cloche sonnait aussi et les pêcheurs rentraient rassurés.",
  de: "Der Wärter stieg jeden Abend die Treppe hinauf und zündete die große Lampe an. Die Schiffe sahen das Licht von weitem und wussten, wo der Hafen war. In nebligen Nächten läutete die Glocke, und die Fischer kehrten beruhigt zurück.",
  pl: "Latarnik każdego wieczoru wchodził po schodach i zapalał dużą lampę. Statki z daleka widziały światło i wiedziały, gdzie jest wejście do portu. W mgliste noce bił też dzwon, a rybacy spokojnie wracali do domów, bo ktoś o nich pamiętał.",
  cs: "Strážce majáku každý večer vystoupal po schodech a rozsvítil velkou lampu. Lodě z dálky viděly světlo a věděly, kde je přístav. Za mlhavých nocí zvonil také zvon a rybáři se klidně vraceli domů, protože na ně někdo čekal.",
  tr: "Fener bekçisi her akşam merdivenleri çıkar ve büyük lambayı yakardı. Gemiler ışığı uzaktan görür ve limanın nerede olduğunu bilirdi. Sisli gecelerde çan da çalar, balıkçılar güven içinde evlerine dönerdi.",
  lt: "Švyturio prižiūrėtojas kiekvieną vakarą lipdavo laiptais ir uždegdavo didelę lempą. Laivai iš toli matydavo šviesą ir žinodavo, kur yra uostas. Ūkanotomis naktimis skambėdavo ir varpas, o žvejai ramūs grįždavo namo.",
};

const CHARSETS: readonly (readonly [string, readonly string[]])[] = [
  ["shift_jis", ["ja"]],
  ["euc-jp", ["ja"]],
  ["gb18030", ["hans"]],
  ["big5", ["hant"]],
  ["euc-kr", ["ko"]],
  ["koi8-r", ["ru"]],
  ["koi8-u", ["uk"]],
  ["ibm866", ["ru"]],
  ["windows-1251", ["ru", "uk"]],
  ["windows-1250", ["pl", "cs"]],
  ["iso-8859-2", ["pl", "cs"]],
  ["windows-1252", ["fr", "de"]],
  ["windows-1253", ["el"]],
  ["windows-1254", ["tr"]],
  ["windows-1255", ["he"]],
  ["windows-1256", ["ar"]],
  ["windows-1257", ["lt"]],
  ["windows-874", ["th"]],
  ["utf-16le", ["ja", "hans", "ko", "ru", "de"]],
  ["utf-16be", ["ja", "hant", "el", "fr"]],
  ["utf-8", Object.keys(TEXTS)],
];
const LENGTHS = [24, 48, 100, 400, 5_000];

/** What `TextDecoder` reads, the other way round; characters that the charset lacks are left out. */
function openEncoder(charset: string): (text: string) => Buffer {
  if (charset === "utf-8") return (text) => Buffer.from(text);
  if (charset === "utf-16le") return (text) => Buffer.from(text, "utf16le");
  if (charset === "utf-16be") return (text) => Buffer.from(text, "utf16le").swap16();
  const decoder = new TextDecoder(charset);
  const bytes = new Map<string, readonly number[]>();
  const learn = (...sequence: readonly number[]) => {
    const character = decoder.decode(Uint8Array.from(sequence));
    if (character.length === 1 && character !== "\ufffd" && !bytes.has(character))
      bytes.set(character, sequence);
  };
  for (let one = 0; one < 256; one += 1) learn(one);
  if (!/^(?:windows|iso|koi|ibm)/.test(charset)) {
    for (let one = 0x81; one < 0xff; one += 1) {
      for (let two = 0x40; two < 0xff; two += 1) learn(one, two);
    }
  }
  return (text) => Buffer.from([...text].flatMap((character) => bytes.get(character) ?? []));
}

/** The text from different places, repeated up to the length. */
function* samplesOf(text: string, length: number): Generator<string> {
  const long = text.repeat(Math.ceil(length / text.length) + 2);
  for (let start = 0; start < text.length; start += Math.ceil(text.length / 8)) {
    yield long.slice(start, start + length).trim();
  }
}

function* allCases() {
  for (const [charset, languages] of CHARSETS) {
    const encode = openEncoder(charset);
    const texts = languages.map((language) => TEXTS[language] ?? "");
    for (const text of texts.flatMap((each) => LENGTHS.flatMap((l) => [...samplesOf(each, l)]))) {
      yield { charset, text, bytes: encode(text) };
    }
  }
}

test("a text is read in its charset, short ones too", () => {
  const cases = [...allCases()];
  const wrong = cases.filter(
    ({ charset, bytes }) => decodeText(bytes).text !== new TextDecoder(charset).decode(bytes),
  );
  expect(cases.length).toBeGreaterThan(1_200);
  const named = wrong.map(({ charset, text }) => `${charset}: ${text.slice(0, 40)}`);
  expect(wrong.length / cases.length, named.join("\n")).toBeLessThanOrEqual(0.01);
  expect(wrong.filter(({ charset }) => charset === "utf-8")).toEqual([]);
});

test("Japanese in seven bits is read", () => {
  const escaped = Buffer.from("\u001b$B4A;z\u001b(B", "latin1");
  expect(decodeText(escaped).text).toBe("漢字");
});

test("a spreadsheet of names in Shift_JIS is Japanese", () => {
  const encode = openEncoder("shift_jis");
  const table = "名前,年齢,住所\n佐藤太郎,30,東京\n鈴木三木,23,大阪\n";
  expect(decodeText(encode(table)).text).toBe(table);
});

test("a charset is found after a long start that is the same in all", () => {
  const starts = [
    "The keeper climbs the stairs. ",
    "id,name,zip\n1042,KWZ-778,90210\n",
    "WARNING: DISK FULL, ZONE WZK\n",
    "const lamp = openLamp(0x7f45);\n",
    "1;2;3;4\n",
  ].map((start) => start.repeat(Math.ceil(4_000 / start.length)));
  const ends = [
    ["windows-1252", "café"],
    ["windows-1252", "Müller, Zürich"],
    ["windows-1252", "20 °C ± 2 µm, £100"],
    ["windows-1252", "L'été était très chaud."],
    ["shift_jis", "顧客番号と名前"],
    ["euc-jp", "在庫を確認する関数"],
    ["gb18030", "守灯塔的人每天晚上走上楼梯"],
    ["windows-1251", "Смотритель маяка"],
  ] as const;
  const wrong = ends.flatMap(([charset, end]) => {
    const encode = openEncoder(charset);
    const texts = starts.flatMap((start) => [`${start}${end}\n`, `${start}${end}\n${start}`]);
    return texts.filter((text) => decodeText(encode(text)).text !== text);
  });
  expect(wrong.map((text) => text.slice(0, 10) + text.slice(4_000, 4_030))).toEqual([]);
});
