// What the reader says of validation questions, and whether it is right: calibrate.py fits probabilities to it.
//   node training/reader/signs.ts --data DIR --models DIR --out signs.jsonl [--sets a,b] [--part valid]
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { holdsAny, type Item } from "../../bench/answers/ask.ts";
import { openCollectionBase } from "../../bench/answers/collection-base.ts";
import { type Paragraph, partOf, readCollection } from "../../bench/answers/collections.ts";
import { mixedItems, unanswerableItems } from "../../bench/answers/mixed.ts";
import { openReading } from "../../bench/answers/reading.ts";
import { sampleOf } from "../../bench/support/sample.ts";
import { chooseSentences, toClaims } from "../../src/answer/quote/quote.ts";

const { values } = parseArgs({
  options: {
    data: { type: "string", default: "../shared/data" },
    models: { type: "string", default: join(import.meta.dirname, "../../models/reader") },
    sets: {
      type: "string",
      default:
        "jaquad-train,drcd-dev,drcd-test,cmrc-dev,squad,new-wiki,squad-es,squad-it,piaf,shifts-amazon,shifts-reddit",
    },
    part: { type: "string", default: "valid" },
    count: { type: "string", default: "300" },
    out: { type: "string", default: "signs.jsonl" },
  },
});
const part = values.part === "test" ? "test" : "valid";
const MAX_PARAGRAPHS = 1_500;
const STRANGERS = 30;
const out = createWriteStream(values.out);
const names = values.sets.split(",");
const collections = new Map(names.map((name) => [name, withOthers(name)]));
for (const name of names) {
  const paragraphs = collections.get(name) ?? [];
  const base = await openCollectionBase(paragraphs);
  const { reader } = await openReading(base.documents, values.models);
  const mix = { part, count: Number(values.count), seed: 5 } as const;
  const strangers = names
    .filter((other) => part === "valid" && other !== name && !isTranslation(other, name))
    .flatMap((other) => strangersOf(other));
  const items = [
    ...mixedItems(name, paragraphs, mix),
    ...unanswerableItems(name, paragraphs, { ...mix, count: mix.count / 2 }),
    ...strangers,
  ];
  for (const item of items) {
    const { passages } = await base.search.search({
      text: item.question,
      limit: 20,
      ...(item.filter && { filter: item.filter }),
    });
    const read = await reader?.read(item.question, passages);
    if (!read) continue;
    const chosen = chooseSentences(read.sentences);
    const text = toClaims(chosen)
      .map((claim) => claim.text)
      .join("\n");
    const signs = read.signsOf(chosen);
    const row = {
      set: item.set,
      where: item.where,
      group: read.group,
      right: item.holds(text),
      top: passages[0]?.score ?? 0,
      found: passages.slice(0, 6).some((each) => item.holds(each.text)),
      ...signs,
    };
    out.write(`${JSON.stringify(row)}\n`);
  }
  await base.close();
  process.stderr.write(`${name}: ${items.length}\n`);
}
out.end();

/** The part's articles, with others around them up to a size. */
function withOthers(name: string): readonly Paragraph[] {
  const all = readCollection(values.data, name);
  const own = all.filter((each) => partOf(name, each) === part);
  const others = all.filter((each) => partOf(name, each) !== part);
  return [...own, ...others.slice(0, Math.max(0, MAX_PARAGRAPHS - own.length))];
}

/** SQuAD and its translations are about the same. */
function isTranslation(one: string, other: string): boolean {
  return one.startsWith("squad") && other.startsWith("squad");
}

/** Questions of another collection: nothing here is about them. */
function strangersOf(name: string): readonly Item[] {
  const asked = (collections.get(name) ?? [])
    .filter((each) => partOf(name, each) === part)
    .flatMap(({ questions }) => questions)
    .filter(({ answers }) => answers.length > 0);
  return sampleOf(asked, STRANGERS, 7).map(({ question, answers }) => ({
    set: "strangers",
    where: "article absent",
    question,
    holds: holdsAny(answers.map(({ text }) => text)),
  }));
}
