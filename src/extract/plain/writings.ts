// The letters of languages, the most frequent first: by them a text shows which charset its bytes are in.

export interface Writing {
  readonly charsets: readonly string[];
  /** How likely each character is in a text of this language. */
  readonly chances: ReadonlyMap<string, number>;
  /** Any other character of the script. */
  readonly others?: { readonly script: RegExp; readonly chance: number };
}

const LATIN_1 = ["windows-1252"];
const LATIN_2 = ["windows-1250", "iso-8859-2"];
const CYRILLIC = ["windows-1251", "koi8-u", "ibm866", "iso-8859-5"];

const ENGLISH_LETTERS = "etaoinshrdlcumwfgypbvkjxqz";
const ALPHABETS: readonly (readonly [readonly string[], string])[] = [
  [LATIN_1, ENGLISH_LETTERS],
  [LATIN_1, "entirasldubgohcmfkpzwvüyäxößqj"],
  [LATIN_1, "eaosnirldctumpgbfvyóhqíájzéxñkúwü"],
  [LATIN_1, "esanitrluodcpmévgfbqhàèxyjkzêwçôîâùûëïœü"],
  [LATIN_1, "eioanlsrtdcpumgvzfbhèyqxwkàòùjéì"],
  [LATIN_1, "enariotsldgkhmubpvcfwzjëyxïéqöüèó"],
  [LATIN_1, "eoasritndmucplfvgbãhqçxéyájzóõíêwkúâàôü"],
  [LATIN_1, "enatrislodgkmfpvuäcöbhyåxjwzqé"],
  [LATIN_1, "erntilasdkogmfuvpbhyæcøjåxwzéqò"],
  [LATIN_1, "ertnilsakodgmvfpubhåyjøcxwæz"],
  [LATIN_1, "tieansolkuärmvypdhjbcgöfxwzq"],
  [LATIN_1, "anirstelkugmðdáífovbhpyójýúæþöcwxézq"],
  [LATIN_2, "aieonrzwtsypkcdulmjgbłżhęąśćófńvxźq"],
  [LATIN_2, "oenatsprvilukídzmácbyhjřčéýžěgfšůxwúóňqť"],
  [LATIN_2, "oaenirtsvpkludmzbácyhjčíýéúťžfgľšxówôňäĺď"],
  [LATIN_2, "eatlsnrkoziámégvhbydpcfjuíóöőüúűxwq"],
  [LATIN_2, "aieonrtsjkpudlvmzgbcčšfhćžđxywq"],
  [LATIN_2, "aeoinrtsvpkldjmzubgčchšžfxywq"],
  [LATIN_2, "eiartnulcsodpămfgbvţşzîhxâkjwyq"],
  [["windows-1254"], "aeilnrıtsdmkoyubgşçzcüphğvföxwjqâî"],
  [["windows-1257"], "iasteornkulpmdvgyjšbėųfįžcąčūzhęxwq"],
  [["windows-1257"], "aisternuoklmāpdvēzjīgbšcfļūņhķxžwyģ"],
  [["windows-1257"], "aietslunrkodmvgpäjbhõfücxöywzqžš"],
  [CYRILLIC, "оеаинтрслвпкдмуяьзыбйчцгжхфюшщёэъ"],
  [CYRILLIC, "аониертівксдплмузябьйгчцжєхфшюїщґ"],
  [CYRILLIC, "аениотрсвдпкзлмъябучжгйфцшщхюь"],
  [["windows-1253"], "αοετινσρμηπκυςλίδγήέάόχωθύφώβξζψ"],
  [["windows-1255"], "יותהלמרבשאנקפדסעםגחכטןצזץךף"],
  [["windows-1256"], "اليمرتوةنفدعسبحقكجأصهطخإذشّغضزىثئءظؤُ"],
  [["windows-874"], "ารอ่มกนเ้งดัลีตสยบแิไวขทหจคพป์ะืูชำใถฟุ็โณซผธภ"],
];

const KANJI =
  "年何大人国日地月中時生発本行一後出的世上者作学部会戦成用間代物分事合書名市開立同体方前設最入高家" +
  "水子定長化動見機多性場軍対内川館業島初自山所誰力東当画下主数度以現期海建王明第目社品種結新通記民" +
  "電関教全語図小手文在流道連法約受和政気公実北域表産要外持始治置原理点面位女平取式類界計呼形県使制" +
  "加言近西空石次紀三田活特南付帝来重工不金争進続死指運少神経野能有広回線造型利員意土州都起正知量変" +
  "集状領族考元心強向際保支万共権存調天決移町二航彼説伝製身質校様議料古住火得反認食半害術送病組交車" +
  "隊降選収基側務解口鉄命任統直陸太再録果可朝村皇構着木件馬由称改相区系他京配両確研府影離問条先演撃" +
  "昭究引観属船宮別信総増星備終美積史判義科響評過育描院残示安無頃資兵親査込派路常題屋父話規遺官論城" +
  "号攻団展含止象白放頭態河報色与転述賞楽素感容役達英比各築完周震版母独施割台告師紙映導採然異魚風歳" +
  "応価営戸絵低断境因温参落岡門園音装番技載被勢光失植測等格室売接供味農登球士管米挙息例洋継帯器乗足" +
  "諸職男殺亡婚優圧曲編商占江侵競勝係模真思退階切蔵葉聖末深岸求根良念必源防提橋急岩布予極験細囲協党" +
  "張個難推艦及程護助港復材松層輸著貨飛寺熱";
const SIMPLIFIED =
  "的年是为在一中有于大国人以学时地后个么什和上成日月部名了会出及作分与之公不线本主生用长发被行多站" +
  "其西路体方海位哪斯而由家区他下道可第前到亚南东小物球现新法要来代里子所车至港同最特台色北文等称尔" +
  "加三动电因开并自赛内期高间马得经建鱼场通龙市入对香外山种此这也队号军天当立世度利目教美任全过理设" +
  "化业布工民原政都王两事员鳍能式合巴面语但二定水平德士少类司进州岛系使克或广科华约将相条数罗十比重" +
  "达制正性次机者头明尼属太关食联金湾城拉英起表四形常品曾如列力从米战运安河音们些无乐门兰院务星型视" +
  "又交洲字传共口则首林元总铁向影改基陆包计说演版始齿该点心非古获保受角著校界产量具结单统指较亦就提" +
  "意近阿程实流郡处然身女带组治集足格取管纪白接已冠直张群创选府黄应武只花连朝游手活江级背播社石各离" +
  "片画县往骨卡族汉尾蛇剧节五气客居史书回侧村展参夫资命神光专更省初权万历风阳红谁别每街印师堂清举认" +
  "义空奥际造黑议维帝局样括置职果官标今很深研志京收放还青枚领索信转即吴完变术据湖存没九牠几观银究引" +
  "构候域层普服镇先火氏园论知团支皇情卫座持办律兴它推协决令质宗死奖器纳那亲状曲记见编反育划段未商圣" +
  "案打季干早洋源导份波助周除奇供李底示环威";
const TRADITIONAL =
  "的國一年在為是中大人有和於時以了地個後成學民會哪主之政與不日上軍發部行多西南來斯區世法家方月到其" +
  "東而出自分生戰被由及用最北對代公經作這要立他市開文建第期位名動高同也所教都因利並內本爾等海種亞德" +
  "統長可外現度過共機重使美馬前下業進稱府此特得新物產力理三羅定當克化間加元至但州聯拉入全次將治事體" +
  "合城工制帝通電山能朝義面華路總王十二平子權原界麼性式島史兩議相任設約球什古明量天關數黨語基始領達" +
  "者員道紀正心比灣著院從族然布里金改安表水科省少士英起常口系展提認或星組實車河隊小阿如運就台爭縣臺" +
  "尼各港場則四傳選保計接受些直何蘭交巴首結屬流向賽務林濟影土說漢們韓形導江包書廣太條已萬持維變反無" +
  "皇造還線洲舉社決術類意管命歐格司宗校目蒙資處際曾指字張取局派清蘇更陸視居帶五納空兵品程武擊歷米普" +
  "規近誰源許氣鐵境別據支官早香印解除商卡點攻論團該幾邦言集括門非即質風先較很又收強初奧報光它石夫活" +
  "劉列型件殺易圖構且郵放沒周域應京獲候宣研威票色率獨信只號級網委功亦繼福邊手根響另群置速再俄參失興" +
  "劃單織神回革女修題轉究衛隨龍去仍伊令致增專問倫果記職連農波續標具演完央今極推築協溫往段引占製辦未" +
  "越例存求創盟藝眾均敗情宋積離整逐樂觀百勢";
const HANGUL =
  "다이니는하에를의로을수스지가서합자은트용리시사기습인정한있일드으면파어되할제터함모해문고대체반환" +
  "나입된않음만그과프도적메전객들됩없와것호값위구상여래열출성코경변형러포데유예설작소때아클생보조야" +
  "부세요공버오현션실라거듈행명장썬름록같개레원식치표동우바키내크발비본분중추결화주더간연참든십처매" +
  "재려브블디외너른게될임단필패테플또었타능번두항력료턴선신뷰줄확계목옵산미준당새마법진방관복달업집" +
  "딩안및며령저택각무운램속렉콜페최접읽텍통석종히태순특언별검따초템역워직렇등절토퍼백했못베럼배째점" +
  "루후립튜약티응셔퀀딕헤까잘효류알색벤규킵돌링존받덱청액렬숫건교널컨케쓰증켓림끝허줍완칼영피핑양차" +
  "축슬불활찾첫범많윈노컴술";
const KANA =
  "のにはたをるがとしてれでいなかさっりあすまらこもくうよそきつけせだみえどめおわやんちげじずほひぶばべろ" +
  "ンスルトイアラリクシドレジタフプコロマテサナムグメカデキバニウオチブエツミパセハボネペズビゲソポガーッャュョィェァ" +
  "ねむびごゆへぎぐべぜぼぞぬふづぱぴぽぷぺゃゅょざヤモゴダケヨユホヒワノザギゾヘヌデゼヴヅヂヲぁぃぅぇぉ・";
const WIDE = "、。，「」：（）．『』！？；【】〈〉《》～％－＋／＝０１２３４５６７８９";

/** Each letter is about a tenth rarer than the one before it. */
function alphabetChances(letters: string): ReadonlyMap<string, number> {
  return new Map([...letters].map((letter, at) => [letter, Math.max(0.11 * 0.885 ** at, 0.0004)]));
}

/** A few hundred characters are most of a text, the first of them far more than the others. */
function chancesOf(...parts: readonly (readonly [characters: string, share: number])[]) {
  return new Map(
    parts.flatMap(([characters, share]) => {
      const all = [...characters];
      const sum = all.reduce((total, _, at) => total + 1 / (at + 20), 0);
      return all.map((character, at) => [character, share / (at + 20) / sum] as const);
    }),
  );
}

export const ENGLISH = alphabetChances(ENGLISH_LETTERS);

const HAN = { script: /\p{Script=Han}/u, chance: 0.00003 };
const SYLLABLE = { script: /\p{Script=Hangul}/u, chance: 0.00003 };

export const WRITINGS: readonly Writing[] = [
  ...ALPHABETS.map(([charsets, letters]) => ({ charsets, chances: alphabetChances(letters) })),
  {
    charsets: ["shift_jis", "euc-jp"],
    chances: chancesOf([KANJI, 0.3], [KANA, 0.5], [WIDE, 0.05]),
    others: HAN,
  },
  { charsets: ["gb18030"], chances: chancesOf([SIMPLIFIED, 0.65], [WIDE, 0.1]), others: HAN },
  { charsets: ["big5"], chances: chancesOf([TRADITIONAL, 0.65], [WIDE, 0.1]), others: HAN },
  { charsets: ["euc-kr"], chances: chancesOf([HANGUL, 0.75]), others: SYLLABLE },
];
