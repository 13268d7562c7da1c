// Pictures inside a slide, as the browser paints them: their own bytes, cropped as the slide does.
import { child, type XmlElement } from "../../../office/xml.ts";
import type { Deck, Sheet } from "../deck.ts";
import {
  type Box,
  type Canvas,
  colourValues,
  short,
  sidesOf,
  strokeValues,
} from "../drawing/canvas.ts";

const SIGNS: readonly (readonly [type: string, start: readonly number[]])[] = [
  ["image/png", [0x89, 0x50, 0x4e, 0x47]],
  ["image/jpeg", [0xff, 0xd8, 0xff]],
  ["image/gif", [0x47, 0x49, 0x46, 0x38]],
  ["image/bmp", [0x42, 0x4d]],
];
// A full-screen photograph has about 1 MB.
const MAX_PICTURE_BYTES = 5 * 1024 * 1024;
const EMPTY = { rgb: "#d9dde3", alpha: 1 };

export async function drawPicture(
  canvas: Canvas,
  fill: XmlElement | undefined,
  { deck, sheet, box }: { readonly deck: Deck; readonly sheet: Sheet; readonly box: Box },
): Promise<void> {
  const id = child(fill, "blip")?.attributes["r:embed"];
  const data = id === undefined ? undefined : await pictureData(deck, sheet, id);
  if (data === undefined) return drawEmptyFrame(canvas, box);
  await drawCropped(canvas, data, { box, crop: cropOf(fill) });
}

/** Windows metafiles, videos and oversized pictures are shown as an empty frame. */
export function drawEmptyFrame(canvas: Canvas, box: Box): void {
  const line = { colour: EMPTY, width: 1, dash: "dash", arrows: { start: false, end: false } };
  canvas.put("rect", {
    ...sidesOf(box),
    ...colourValues("fill", { ...EMPTY, alpha: 0.4 }),
    ...strokeValues(line),
  });
}

export async function drawPictureFill(
  canvas: Canvas,
  id: string,
  { deck, sheet, box }: { readonly deck: Deck; readonly sheet: Sheet; readonly box: Box },
): Promise<void> {
  const data = await pictureData(deck, sheet, id);
  if (data === undefined) return;
  canvas.put("image", { ...sidesOf(box), preserveAspectRatio: "xMidYMid slice", href: data });
}

interface Crop {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

function cropOf(fill: XmlElement | undefined): Crop {
  const cut = child(fill, "srcRect")?.attributes ?? {};
  const share = (name: string) => {
    const value = Number(cut[name] ?? 0) / 100_000;
    return value > 0 && value < 0.95 ? value : 0;
  };
  const [left, top] = [share("l"), share("t")];
  return {
    left,
    top,
    width: Math.max(0.05, 1 - left - share("r")),
    height: Math.max(0.05, 1 - top - share("b")),
  };
}

async function drawCropped(
  canvas: Canvas,
  data: string,
  { box, crop }: { readonly box: Box; readonly crop: Crop },
): Promise<void> {
  const whole = { preserveAspectRatio: "none", href: data };
  if (crop.width === 1 && crop.height === 1)
    return canvas.put("image", { ...sidesOf(box), ...whole });
  const [width, height] = [box.width / crop.width, box.height / crop.height];
  const at = `translate(${short(box.x)} ${short(box.y)})`;
  await canvas.clipped(box, async () => {
    canvas.put("image", {
      x: -crop.left * width,
      y: -crop.top * height,
      width,
      height,
      ...whole,
      transform: at,
    });
  });
}

function pictureData(deck: Deck, sheet: Sheet, id: string): Promise<string | undefined> {
  return pictureUrl(deck.office.part, sheet.relations.get(id)?.target);
}

/** The picture as a data URL; undefined if browsers cannot paint it or it is too large. */
export async function pictureUrl(
  read: (part: string) => Promise<Buffer | undefined>,
  part: string | undefined,
): Promise<string | undefined> {
  const bytes = part === undefined ? undefined : await read(part.replace(/^\.\//, ""));
  if (bytes === undefined || bytes.length > MAX_PICTURE_BYTES) return undefined;
  const type = SIGNS.find(([, start]) => start.every((byte, at) => bytes[at] === byte))?.[0];
  return type && `data:${type};base64,${bytes.toString("base64")}`;
}
