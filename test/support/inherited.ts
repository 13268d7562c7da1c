// Names that every object inherits. As input from a caller, each must be treated as unknown.
export const INHERITED = [
  ...Object.getOwnPropertyNames(Object.prototype),
  "prototype",
  "length",
  "name",
] as const;
