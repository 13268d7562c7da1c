// XML without doctypes, entities or namespaces: elements are known by their local names.
import { Parser } from "htmlparser2";
import { corrupt, overLimit } from "../failures.ts";
import { declaredCharset, decodeText } from "../plain/charset.ts";

export interface XmlElement {
  readonly name: string;
  /** Attributes by local name; those with a namespace (`r:id`) also by full name. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (XmlElement | string)[];
}

interface Building extends XmlElement {
  readonly children: (XmlElement | string)[];
}

/**
 * Builds each outermost element with one of the names, or any if there are none, and hands it over;
 * the rest of the file is not kept.
 */
export function eachElement(
  bytes: Buffer,
  maxDepth: number,
  names: ReadonlySet<string> | undefined,
  visit: (element: XmlElement) => void,
): void {
  const { text } = decodeText(bytes, declaredCharset(bytes));
  const stack: Building[] = [];
  const localName = openLocalNames();
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(fullName, attributes) {
        depth += 1;
        if (depth > maxDepth) throw overLimit(`its elements are nested more than ${maxDepth} deep`);
        const name = localName(fullName);
        if (stack.length === 0 && names?.has(name) === false) return;
        const element = { name, attributes: withLocalNames(attributes, localName), children: [] };
        stack.at(-1)?.children.push(element);
        stack.push(element);
      },
      ontext: (part) => stack.at(-1)?.children.push(part),
      onclosetag() {
        depth -= 1;
        const done = stack.pop();
        if (done !== undefined && stack.length === 0) visit(done);
      },
      onprocessinginstruction(name) {
        if (name.toLowerCase() !== "!doctype") return;
        throw corrupt(
          "The file contains a document type definition, which office files never have.",
        );
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
}

/** Parses a small part as a tree. */
export function parseXml(bytes: Buffer, maxDepth: number): XmlElement {
  let root: XmlElement | undefined;
  eachElement(bytes, maxDepth, undefined, (element) => {
    root ??= element;
  });
  if (root === undefined) throw corrupt("A part of the file is not XML.");
  return root;
}

export function elements(parent: XmlElement | undefined): readonly XmlElement[] {
  const children = parent?.children ?? [];
  return children.filter((child): child is XmlElement => typeof child !== "string");
}

export function child(
  parent: XmlElement | undefined,
  ...path: readonly string[]
): XmlElement | undefined {
  let at = parent;
  for (const name of path) {
    if (at === undefined) return undefined;
    at = elements(at).find((element) => element.name === name);
  }
  return at;
}

/** Every element with this name below `parent`, in order, but not inside another match. */
export function descendants(parent: XmlElement | undefined, name: string): readonly XmlElement[] {
  return elements(parent).flatMap((element) =>
    element.name === name ? [element] : descendants(element, name),
  );
}

export function textOf(element: XmlElement | undefined): string {
  if (element === undefined) return "";
  return element.children.map((part) => (typeof part === "string" ? part : textOf(part))).join("");
}

/** Without its namespace. Names are few and asked for again and again. */
function openLocalNames(): (name: string) => string {
  const known = new Map<string, string>();
  return (name) => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const local = name.slice(name.indexOf(":") + 1);
    known.set(name, local);
    return local;
  };
}

function withLocalNames(
  attributes: Record<string, string>,
  localName: (name: string) => string,
): Readonly<Record<string, string>> {
  for (const name of Object.keys(attributes)) {
    const local = localName(name);
    if (local !== name) attributes[local] ??= attributes[name] ?? "";
  }
  return attributes;
}
