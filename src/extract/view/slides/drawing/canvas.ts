// A slide's picture under construction: SVG elements without scripts, styles or addresses, counted and limited.
import { overLimit } from "../../../limits.ts";
import type { Colour } from "./colour.ts";
import type { Fill, Line } from "./fill.ts";

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Picks the sides of an object that is more than a box. */
export function sidesOf({ x, y, width, height }: Box): Box {
  return { x, y, width, height };
}

export interface Word extends Box {
  readonly text: string;
}

export type Values = Readonly<Record<string, string | number | undefined>>;

export interface Canvas {
  readonly words: Word[];
  /** Adds an element without children. */
  put(name: string, values: Values): void;
  /** Adds a text element; `text` is escaped. */
  write(values: Values, text: string): void;
  /** Everything drawn inside moves and turns with the group. */
  group(values: Values, draw: () => Promise<void>): Promise<void>;
  /** Everything drawn inside is visible only within the box. */
  clipped(box: Box, draw: () => Promise<void>): Promise<void>;
  /** Attributes for filling something with a colour or a gradient. */
  filled(fill: Fill): Values;
  toString(): string;
}

// A busy slide has a few hundred.
const MAX_ELEMENTS = 8_000;
// The limit includes pictures.
const MAX_BYTES = 12 * 1024 * 1024;

export function openCanvas(): Canvas {
  const out: string[] = [];
  const spent = { elements: 0, bytes: 0 };
  const add = (text: string) => {
    spent.elements += 1;
    spent.bytes += text.length;
    if (spent.elements > MAX_ELEMENTS || spent.bytes > MAX_BYTES)
      throw overLimit("its slide has too much to draw");
    out.push(text);
  };
  return {
    words: [],
    put: (name, values) => add(`<${name}${attributes(values)}/>`),
    write: (values, text) => add(`<text${attributes(values)}>${escapeXml(text)}</text>`),
    async group(values, draw) {
      add(`<g${attributes(values)}>`);
      await draw();
      add("</g>");
    },
    async clipped({ x, y, width, height }, draw) {
      const id = `c${spent.elements}`;
      const shape = attributes({ x, y, width, height });
      add(`<clipPath id="${id}"><rect${shape}/></clipPath><g clip-path="url(#${id})">`);
      await draw();
      add("</g>");
    },
    filled(fill) {
      if (fill.kind === "plain") return colourValues("fill", fill.colour);
      if (fill.kind !== "gradient") return { fill: "none" };
      const id = `g${spent.elements}`;
      add(gradientOf(id, fill));
      return { fill: `url(#${id})` };
    },
    toString: () => out.join(""),
  };
}

export function colourValues(name: "fill" | "stroke", { rgb, alpha }: Colour): Values {
  return { [name]: rgb, ...(alpha < 1 && { [`${name}-opacity`]: alpha }) };
}

const DASHES = new Map(
  Object.entries<readonly number[]>({
    dot: [1, 2],
    sysDot: [1, 1],
    dash: [4, 3],
    sysDash: [3, 1],
    lgDash: [8, 3],
    dashDot: [4, 3, 1, 3],
    lgDashDot: [8, 3, 1, 3],
  }),
);

export function strokeValues(line: Line | undefined): Values {
  if (line === undefined) return {};
  const dash = DASHES.get(line.dash)
    ?.map((part) => part * line.width)
    .join(" ");
  return {
    ...colourValues("stroke", line.colour),
    "stroke-width": line.width,
    ...(dash !== undefined && { "stroke-dasharray": dash }),
  };
}

function gradientOf(id: string, { stops, angle }: Extract<Fill, { kind: "gradient" }>): string {
  const turned = (angle * Math.PI) / 180;
  const [x, y] = [Math.cos(turned) / 2, Math.sin(turned) / 2];
  const ends = { x1: 0.5 - x, y1: 0.5 - y, x2: 0.5 + x, y2: 0.5 + y };
  const parts = stops.map(
    ({ at, colour }) =>
      `<stop${attributes({ offset: at, "stop-color": colour.rgb, "stop-opacity": colour.alpha })}/>`,
  );
  return `<linearGradient${attributes({ id, ...ends })}>${parts.join("")}</linearGradient>`;
}

function attributes(values: Values): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) =>
        ` ${name}="${typeof value === "number" ? short(value) : escapeXml(value ?? "")}"`,
    )
    .join("");
}

export function short(value: number): string {
  return Number.isFinite(value) ? String(Math.round(value * 100) / 100) : "0";
}

const ESCAPED = new Map(
  Object.entries({
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
  }),
);

/** XML does not allow control characters. */
function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
      .replace(/[&<>"]/g, (mark) => ESCAPED.get(mark) ?? mark)
  );
}
