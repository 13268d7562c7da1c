// Boxes on a page, in ten-thousandths of it.

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Joins the words of a line into one box, so that the whole line is marked. */
export function joinLines(boxes: readonly Box[]): readonly Box[] {
  const joined: Box[] = [];
  for (const box of boxes) {
    const last = joined.at(-1);
    if (last && isNext(last, box)) joined[joined.length - 1] = union(last, box);
    else joined.push(box);
  }
  return joined;
}

function isNext(last: Box, box: Box): boolean {
  const overlap = Math.min(last.y + last.height, box.y + box.height) - Math.max(last.y, box.y);
  const gap = box.x - (last.x + last.width);
  const height = Math.max(last.height, box.height);
  return overlap > Math.min(last.height, box.height) * 0.6 && gap > -height && gap < height * 1.5;
}

function union(a: Box, b: Box): Box {
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}

/** CSS for an element that is placed on the page's picture. */
export function styleOf({ x, y, width, height }: Box) {
  const percent = (part: number) => `${part / 100}%`;
  return { left: percent(x), top: percent(y), width: percent(width), height: percent(height) };
}
