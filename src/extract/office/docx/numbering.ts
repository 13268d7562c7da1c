// List numbers as Word shows them: counters per list and level, put into the level's pattern.
import { toNumeral } from "../numeral.ts";
import { child, elements, type XmlElement } from "../xml.ts";

interface Level {
  readonly format: string;
  readonly pattern: string;
  readonly start: number;
}

/** The marker of the next item ("1.", "a)", "第2条"); undefined for bullets and unnumbered levels. */
export type NextNumber = (numId: string, level: number) => { marker?: string } | undefined;

export function openNumbering(root: XmlElement | undefined): NextNumber {
  const lists = new Map<string, { abstract: string; levels: ReadonlyMap<number, Level> }>();
  const counters = new Map<string, number[]>();
  const abstracts = new Map<string, ReadonlyMap<number, Level>>();
  for (const element of elements(root)) {
    const id = element.attributes["abstractNumId"] ?? "";
    if (element.name === "abstractNum") abstracts.set(id, toLevels(elements(element)));
    if (element.name === "num") {
      const abstract = child(element, "abstractNumId")?.attributes["val"] ?? "";
      const overrides = toLevels(elements(element).map((each) => child(each, "lvl")));
      const levels = new Map([...(abstracts.get(abstract) ?? []), ...overrides]);
      const own = overrides.size > 0 ? `${abstract}/${element.attributes["numId"]}` : abstract;
      lists.set(element.attributes["numId"] ?? "", { abstract: own, levels });
    }
  }
  return (numId, level) => {
    const list = lists.get(numId);
    const own = list?.levels.get(level);
    if (list === undefined || own === undefined) return undefined;
    const counts = counters.get(list.abstract) ?? [];
    counters.set(list.abstract, counts);
    counts[level] = (counts[level] ?? own.start - 1) + 1;
    counts.length = level + 1;
    if (own.format === "bullet" || own.format === "none" || own.pattern === "") return {};
    const marker = own.pattern.replace(/%(\d)/g, (_, digit: string) => {
      const at = Number(digit) - 1;
      const of = list.levels.get(at);
      return toNumeral(counts[at] ?? of?.start ?? 1, of?.format ?? "decimal");
    });
    return { marker };
  };
}

/** The levels that are among the elements, by their number. */
function toLevels(elements: readonly (XmlElement | undefined)[]): ReadonlyMap<number, Level> {
  const levels = elements.filter((element) => element?.name === "lvl");
  return new Map(levels.map((level) => [Number(level?.attributes["ilvl"]), toLevel(level)]));
}

function toLevel(element: XmlElement | undefined): Level {
  const value = (name: string) => child(element, name)?.attributes["val"];
  return {
    format: value("numFmt") ?? "decimal",
    pattern: value("lvlText") ?? "",
    start: Number(value("start") ?? 1),
  };
}
