// Where an error came from: its name, its code and the nearest calls. Its message may quote a document, and the folders
// of its calls are the machine's own.
const MAX_CALLS = 6;
// "at name (place:1:2)" or "at place:1:2", where a place is a path or an address.
const CALL = /^\s+at (?:async )?(?:(.+?) \()?(.+):(\d+):(\d+)\)?$/;

export function traceOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return typeof thrown;
  const code = "code" in thrown && typeof thrown.code === "string" ? ` ${thrown.code}` : "";
  const calls = (thrown.stack ?? "").split("\n").flatMap(toCall).slice(0, MAX_CALLS);
  return [`${thrown.name}${code}`, ...calls].join(" < ");
}

function toCall(line: string): readonly string[] {
  const [, name, place = "", row, column] = CALL.exec(line) ?? [];
  if (row === undefined) return [];
  const file = `${place.split(/[/\\]/).at(-1)}:${row}:${column}`;
  return [name === undefined ? file : `${name} ${file}`];
}
