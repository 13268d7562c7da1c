// Which labels of a drawing nobody sees.
import type { HiddenKind } from "../../domain/document.ts";
import { type TextAppearance, unseenKind } from "../hidden/appearance.ts";
import { WHITE } from "../hidden/colour.ts";
import { openLooks, within } from "../html/style.ts";
import { type Attributes, styleSheets } from "../html/style-sheets.ts";

/** What an element's surroundings say about its text. */
export interface Sight {
  readonly seen: TextAppearance;
  /** Nothing moves or scales it, so its own numbers say where it is. */
  readonly isFixed: boolean;
  readonly why?: HiddenKind | undefined;
}

export function unseenBy({ why, seen }: Sight): HiddenKind | undefined {
  return why ?? unseenKind(seen);
}

export function openSheet(source: string) {
  const looks = openLooks(styleSheets(source), true);
  const frame = frameOf(source);
  return {
    sight: { seen: { behind: isWhiteSheet(source) ? WHITE : null }, isFixed: true } as Sight,
    inside(around: Sight, name: string, attributes: Attributes): Sight {
      const look = looks.of(name, attributes);
      const isFixed = around.isFixed && attributes["transform"] === undefined;
      const own = look.hides ?? hiddenBy(attributes);
      return {
        seen: within(around.seen, { ...look, points: frame.points(attributes) }),
        isFixed,
        why: around.why ?? own ?? (isFixed ? frame.offPage(attributes) : undefined),
      };
    },
  };
}

function hiddenBy({ display, visibility, opacity, "fill-opacity": fillOpacity }: Attributes) {
  if (display === "none" || visibility === "hidden") return "hidden";
  return Number(opacity ?? 1) < 0.05 || Number(fillOpacity ?? 1) < 0.05 ? "transparent" : undefined;
}

const SHAPES =
  /<(?:\w+:)?(?:rect|path|circle|ellipse|polygon|polyline|image|use)\b([^>]{0,2000})/gi;
const PLAIN_FILL = /\bfill\s*[=:]\s*["']?\s*(?:none|white|#fff(?:fff)?)\b/i;

/** Nothing but lines and white areas is drawn, so that white letters are on white. */
function isWhiteSheet(source: string): boolean {
  for (const [, attributes = ""] of source.matchAll(SHAPES))
    if (!PLAIN_FILL.test(attributes)) return false;
  return true;
}

/** What is outside it, or far too small for it, is not seen. */
function frameOf(source: string) {
  const box = /\bviewBox\s*=\s*["']([^"']{1,100})/i
    .exec(source)?.[1]
    ?.trim()
    .split(/[\s,]+/)
    .map(Number);
  const [left = 0, top = 0, width = Number.NaN, height = Number.NaN] = box ?? [];
  return {
    /** As if the drawing were a page of 400 lines. */
    points(attributes: Attributes): number | undefined {
      const written =
        attributes["font-size"] ?? /font-size\s*:\s*([\d.]+)/i.exec(attributes["style"] ?? "")?.[1];
      const size = Number.parseFloat(written ?? "");
      if (Number.isNaN(size)) return undefined;
      return size === 0 ? 0 : (size / height) * 600;
    },
    offPage({ x, y }: Attributes): HiddenKind | undefined {
      const [right, down] = [Number.parseFloat(x ?? ""), Number.parseFloat(y ?? "")];
      const isOut =
        right < left - width ||
        right > left + width * 1.02 ||
        down < top - height * 0.02 ||
        down > top + height * 1.1;
      return isOut ? "off-page" : undefined;
    },
  };
}
