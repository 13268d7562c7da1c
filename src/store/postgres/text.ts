// PostgreSQL cannot store NUL or a lone surrogate. Each is replaced by U+FFFD, which keeps all offsets.

export function storable(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes("\0") ? whole.replaceAll("\0", "\ufffd") : whole;
}

export function storableJson(value: unknown): unknown {
  if (typeof value === "string") return storable(value);
  if (Array.isArray(value)) return value.map(storableJson);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [storable(key), storableJson(item)]),
  );
}
