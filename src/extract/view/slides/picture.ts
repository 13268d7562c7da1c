// Pictures inside a slide, as the browser paints them: their own bytes.
import type { Shape } from "./canvas.ts";

const SIGNATURES: readonly (readonly [type: string, start: readonly number[]])[] = [
  ["image/png", [0x89, 0x50, 0x4e, 0x47]],
  ["image/jpeg", [0xff, 0xd8, 0xff]],
  ["image/gif", [0x47, 0x49, 0x46, 0x38]],
  ["image/bmp", [0x42, 0x4d]],
];
// A full-screen photograph has about 1 MB.
const MAX_PICTURE_BYTES = 5 * 1024 * 1024;

/** What is shown instead of Windows metafiles, videos and oversized pictures. */
export const EMPTY_FRAME: Pick<Shape, "fill" | "line"> = {
  fill: { rgb: "#d9dde3", alpha: 0.4 },
  line: { colour: { rgb: "#d9dde3", alpha: 1 }, width: 1, isDashed: true },
};

/** The picture as a data URL; undefined if browsers cannot paint it or it is too large. */
export async function pictureUrl(
  read: (part: string) => Promise<Buffer | undefined>,
  part: string | undefined,
): Promise<string | undefined> {
  const bytes = part === undefined ? undefined : await read(part.replace(/^\.\//, ""));
  if (bytes === undefined || bytes.length > MAX_PICTURE_BYTES) return undefined;
  const type = SIGNATURES.find(([, start]) => start.every((byte, at) => bytes[at] === byte))?.[0];
  return type && `data:${type};base64,${bytes.toString("base64")}`;
}
