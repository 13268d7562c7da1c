// A document's original as the console shows it beside the text.

/** How it can be shown. The version changes with the document's content. */
export type OriginalView =
  /** Rendered pages, drawn slides, or one picture. */
  | {
      readonly kind: "pages";
      readonly unit: "page" | "slide";
      readonly count: number;
      readonly version: string;
    }
  /** An SVG, which the browser paints. */
  | { readonly kind: "drawing"; readonly version: string }
  | { readonly kind: "text-only" }
  /** The original is missing from the store. */
  | { readonly kind: "missing" };

export const IMAGE_SIZES = ["small", "normal", "large"] as const;
export type ImageSize = (typeof IMAGE_SIZES)[number];

/** Left, top, width and height in ten-thousandths of the page. */
export type PageWord = readonly [text: string, x: number, y: number, width: number, height: number];
