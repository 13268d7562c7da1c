// How a text looks where it is, and whether a person sees it: one rule for the facts that formats state.
import type { HiddenKind } from "../../domain/document.ts";
import { looksSame, type Rgb } from "./colour.ts";

export interface TextAppearance {
  /** In points; undefined: of usual size. */
  readonly points?: number | undefined;
  /** 0 to 1. */
  readonly opacity?: number | undefined;
  readonly colour?: Rgb | undefined;
  /** Null: something else than a plain colour, such as a picture. */
  readonly behind?: Rgb | null | undefined;
}

/** In points; micro-lettering on forms has 2. */
export const TINY_POINTS = 1.5;
const TRANSPARENT = 0.05;

/** Colours that are not known count as different. */
export function unseenKind({
  points,
  opacity,
  colour,
  behind,
}: TextAppearance): HiddenKind | undefined {
  if (points !== undefined && points <= TINY_POINTS) return "too-small";
  if (opacity !== undefined && opacity <= TRANSPARENT) return "transparent";
  return colour && behind && looksSame(colour, behind) ? "same-colour" : undefined;
}
