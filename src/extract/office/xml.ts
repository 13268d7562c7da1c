// XML without doctypes, entities or namespaces: elements are known by their local names.
import { Parser } from "htmlparser2";
import { corrupt, overLimit } from "../limits.ts";
import { declaredCharset, decodeText } from "../plain/charset.ts";

export interface XmlElement {
  readonly name: string;
  /** Attributes by local name; those with a namespace (`r:id`) also by full name. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (XmlElement | string)[];
}

export interface XmlHandler {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

export function scanXml(bytes: Buffer, maxDepth: number, handler: XmlHandler): void {
  const { text } = decodeText(bytes, declaredCharset(bytes));
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        if (depth > maxDepth) throw overLimit(`its elements are nested more than ${maxDepth} deep`);
        handler.open?.(local(name), attributes);
      },
      ontext: (part) => handler.text?.(part),
      onclosetag(name) {
        depth -= 1;
        handler.close?.(local(name));
      },
      onprocessinginstruction(name) {
        if (name.toLowerCase() === "!doctype") {
          throw corrupt(
            "The file contains a document type definition, which office files never have.",
          );
        }
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
}

/** Builds each outermost element with one of the names and hands it over; the rest of the file is not kept. */
export function eachElement(
  bytes: Buffer,
  maxDepth: number,
  names: ReadonlySet<string>,
  visit: (element: XmlElement) => void,
): void {
  interface Building {
    readonly name: string;
    readonly attributes: Readonly<Record<string, string>>;
    readonly children: (XmlElement | string)[];
  }
  const stack: Building[] = [];
  scanXml(bytes, maxDepth, {
    open(name, attributes) {
      if (stack.length === 0 && !names.has(name)) return;
      const element: Building = { name, attributes: withLocalNames(attributes), children: [] };
      stack.at(-1)?.children.push(element);
      stack.push(element);
    },
    text: (text) => stack.at(-1)?.children.push(text),
    close() {
      const done = stack.pop();
      if (done !== undefined && stack.length === 0) visit(done);
    },
  });
}

/** Parses a small part as a tree. */
export function parseXml(bytes: Buffer, maxDepth: number): XmlElement {
  let root: XmlElement | undefined;
  let rootName = "";
  scanXml(bytes.subarray(0, 20_000), maxDepth + 1, {
    open: (name) => {
      rootName ||= name;
    },
  });
  eachElement(bytes, maxDepth, new Set([rootName]), (element) => {
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

function local(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function withLocalNames(
  attributes: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const named: Record<string, string> = Object.create(null);
  for (const name of Object.keys(attributes)) {
    const value = attributes[name] ?? "";
    named[name] = value;
    if (name.includes(":") && !Object.hasOwn(attributes, local(name))) named[local(name)] = value;
  }
  return named;
}
