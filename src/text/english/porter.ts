// Porter's stemmer for English: reduces the forms of a word to one stem.

const VOWEL = "[aeiouy]";
const CONSONANTS = "[^aeiou][^aeiouy]*";
const VOWELS = `${VOWEL}[aeiou]*`;
const MEASURE_0 = new RegExp(`^(${CONSONANTS})?${VOWELS}${CONSONANTS}`);
const MEASURE_EQ_1 = new RegExp(`^(${CONSONANTS})?${VOWELS}${CONSONANTS}(${VOWELS})?$`);
const MEASURE_1 = new RegExp(`^(${CONSONANTS})?${VOWELS}${CONSONANTS}${VOWELS}${CONSONANTS}`);
const HAS_VOWEL = new RegExp(`^(${CONSONANTS})?${VOWEL}`);
const SHORT = new RegExp(`^${CONSONANTS}${VOWEL}[^aeiouwxy]$`);

const STEP_2 =
  /^(.+?)(ational|tional|enci|anci|izer|bli|alli|entli|eli|ousli|ization|ation|ator|alism|iveness|fulness|ousness|aliti|iviti|biliti|logi)$/;
const STEP_2_TO = new Map(
  Object.entries({
    ational: "ate",
    tional: "tion",
    enci: "ence",
    anci: "ance",
    izer: "ize",
    bli: "ble",
    alli: "al",
    entli: "ent",
    eli: "e",
    ousli: "ous",
    ization: "ize",
    ation: "ate",
    ator: "ate",
    alism: "al",
    iveness: "ive",
    fulness: "ful",
    ousness: "ous",
    aliti: "al",
    iviti: "ive",
    biliti: "ble",
    logi: "log",
  }),
);
const STEP_3 = /^(.+?)(icate|ative|alize|iciti|ical|ful|ness)$/;
const STEP_3_TO = new Map(
  Object.entries({
    icate: "ic",
    ative: "",
    alize: "al",
    iciti: "ic",
    ical: "ic",
    ful: "",
    ness: "",
  }),
);
const STEP_4 =
  /^(.+?)(al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize)$/;

/** `word` is lower-case ASCII letters. */
export function stem(word: string): string {
  if (word.length < 3) return word;
  let result = word.startsWith("y") ? `Y${word.slice(1)}` : word;
  result = dropPlural(result);
  result = dropPast(result);
  const endsInY = /^(.+?)y$/.exec(result)?.[1];
  if (endsInY !== undefined && HAS_VOWEL.test(endsInY)) result = `${endsInY}i`;
  result = swap(result, STEP_2, STEP_2_TO);
  result = swap(result, STEP_3, STEP_3_TO);
  result = dropSuffix(result);
  const endsInE = /^(.+?)e$/.exec(result)?.[1];
  if (endsInE !== undefined) {
    if (MEASURE_1.test(endsInE) || (MEASURE_EQ_1.test(endsInE) && !SHORT.test(endsInE)))
      result = endsInE;
  }
  if (result.endsWith("ll") && MEASURE_1.test(result)) result = result.slice(0, -1);
  return result.startsWith("Y") ? `y${result.slice(1)}` : result;
}

function dropPlural(word: string): string {
  if (/^.+?(ss|i)es$/.test(word)) return word.slice(0, -2);
  return /^.+?[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

function dropPast(word: string): string {
  const eed = /^(.+?)eed$/.exec(word)?.[1];
  if (eed !== undefined) return MEASURE_0.test(eed) ? word.slice(0, -1) : word;
  const base = /^(.+?)(ed|ing)$/.exec(word)?.[1];
  if (base === undefined || !HAS_VOWEL.test(base)) return word;
  if (/(at|bl|iz)$/.test(base)) return `${base}e`;
  if (/([^aeiouylsz])\1$/.test(base)) return base.slice(0, -1);
  return SHORT.test(base) ? `${base}e` : base;
}

function swap(word: string, ending: RegExp, to: ReadonlyMap<string, string>): string {
  const [, base = "", suffix = ""] = ending.exec(word) ?? [];
  return base !== "" && MEASURE_0.test(base) ? base + (to.get(suffix) ?? suffix) : word;
}

function dropSuffix(word: string): string {
  const base = STEP_4.exec(word)?.[1];
  if (base !== undefined) return MEASURE_1.test(base) ? base : word;
  const beforeIon = /^(.+?)(s|t)(ion)$/.exec(word);
  if (beforeIon) {
    const stemmed = `${beforeIon[1]}${beforeIon[2]}`;
    return MEASURE_1.test(stemmed) ? stemmed : word;
  }
  return word;
}
