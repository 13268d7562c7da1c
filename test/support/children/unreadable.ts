/** Can be sent between threads, but not be read there: the reading side runs out of stack. */
export function unreadable(): unknown {
  let value: unknown = {};
  for (let at = 0; at < 5_000; at++) value = { value };
  return value;
}
