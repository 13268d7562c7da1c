/** A part of the question's text. */
export type Stretch = readonly [start: number, end: number];
