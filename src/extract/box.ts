/** From its upper left corner; the unit is that of the place where it is used. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
