// What an answer must contain to be one: a question for a phone number is not answered by an address.
import type { Claim } from "../citations.ts";

const REQUIRED: readonly (readonly [RegExp, RegExp])[] = [
  [
    /\b(?:tele)?phone number\b|\bfax number\b|電話番号|携帯番号|(?:FAX|ファックス)番号/iu,
    /\p{Nd}[\p{Nd}()（）\s.‐-]{4,}\p{Nd}|(?:extension|ext\.?|内線)\s*\p{Nd}{2,}/iu,
  ],
  // The answer to a question about costs contains an amount of money, or says that it is free.
  [
    /\b(?:what|how much)\b.{0,200}\b(?:costs?|price|salary|wages?|fee|rent)\b|(?:[費料額金代]|価格|値段|定価|利益)(?:は|が)いくら|(?:料金|価格|値段|定価|費用|給料)は/iu,
    /[$€£¥￥円]|\b(?:dollars?|euros?|pounds?|yen|cents?|francs?|USD|EUR|GBP|JPY|CHF|RM)\b|\bfree\b|\bno (?:charge|fee|cost)\b|\bwithout charge\b|無料|無償|(?:price|cost|fee|rent|rate|salary|wage|amount|total|charge|paid|budget|subtotal|tax|[価金料費代税額計])[^\n]{0,60}?\p{N}/iu,
  ],
  [
    /\bhow old\b|何歳|年齢は/iu,
    /\b(?:aged?|ages|old|born|birth\w*|years?|months?|since)\b|\p{N}{4}|歳|才|年齢|生まれ/iu,
  ],
  [
    /\bhow long\b/iu,
    /\p{N}|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|half|(?:year|month|week|day|hour|minute|second|decade|night|generation|mile|page)s?|centur(?:y|ies)|since|until|till|during|throughout|forever|always|permanent\w*|indefinite\w*|life\w*|brief\w*|short\w*|long(?:er)?|feet|met(?:er|re)s?)\b/iu,
  ],
  [/\be-?mail address\b|メールアドレス/iu, /\S@\S/u],
  [/\b(?:web ?site|url|web address)\b|ホームページのアドレス/iu, /https?:|www\.|\w\.\w{2,}/iu],
];

export function hasRequiredForm(query: string, claims: readonly Claim[]): boolean {
  const said = claims
    .map(({ text }) => text)
    .join("\n")
    .normalize("NFKC");
  return REQUIRED.every(([asked, form]) => !asked.test(query) || form.test(said));
}
