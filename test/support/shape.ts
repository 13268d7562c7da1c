/** A value with every leaf replaced by its type, every array by its first element: for comparing with examples. */
export function shapeOf(value: object): object {
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, typeName(each)]));
}

function typeName(value: unknown): unknown {
  if (value === null) return "null";
  if (Array.isArray(value)) return value.slice(0, 1).map(typeName);
  return typeof value === "object" ? shapeOf(value) : typeof value;
}
