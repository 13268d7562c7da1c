// Names that every plain object has: asked for by a caller, each must be as unknown as any other.
export const INHERITED = [
  ...Object.getOwnPropertyNames(Object.prototype),
  "prototype",
  "length",
  "name",
] as const;
