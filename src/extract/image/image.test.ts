import { createCanvas } from "@napi-rs/canvas";
import { expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../limits.ts";
import { toPicture } from "./image.ts";
import { decodePng } from "./pixels/png.ts";

const [WIDTH, HEIGHT] = [200, 100];
const EXIF = Buffer.from(
  "457869660000" + "49492a0008000000" + "0100" + "120103000100000001000000",
  "hex",
);

/** A camera's file: black at the left and white at the right once it is turned as its orientation says. */
async function photograph(orientation: number, quarters: number): Promise<Buffer> {
  const isOnSide = quarters % 2 === 1;
  const canvas = createCanvas(isOnSide ? HEIGHT : WIDTH, isOnSide ? WIDTH : HEIGHT);
  const context = canvas.getContext("2d");
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.translate(canvas.width / 2, canvas.height / 2);
  context.rotate((quarters * Math.PI) / 2);
  context.fillStyle = "#000000";
  context.fillRect(-WIDTH / 2, -HEIGHT / 2, WIDTH / 2, HEIGHT);
  const jpeg = await canvas.encode("jpeg", 90);
  const exif = Buffer.concat([EXIF, Buffer.alloc(4)]);
  exif[EXIF.length - 4] = orientation;
  const marker = Buffer.from([0xff, 0xe1, 0, exif.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), marker, exif, jpeg.subarray(2)]);
}

test.each([
  [1, 0],
  [3, 2],
  [6, 3],
  [8, 1],
])("a photograph of orientation %i is turned upright", async (orientation, quarters) => {
  const picture = await toPicture(await photograph(orientation, quarters), DEFAULT_LIMITS);
  expect([picture.width, picture.height]).toEqual([WIDTH, HEIGHT]);
  if (orientation === 1) return;
  const pixels = decodePng(picture.bytes);
  const greyAt = (x: number) => pixels?.data[((HEIGHT / 2) * WIDTH + x) * pixels.channels] ?? -1;
  expect(greyAt(20)).toBeLessThan(40);
  expect(greyAt(180)).toBeGreaterThan(215);
});
