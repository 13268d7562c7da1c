// A file's name as stored and shown: one line, visible, short enough for every file system.

const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]/g;
const NOT_SHOWN = /[\p{Cc}\p{Cf}\p{DI}\p{Cs}]/gu;
const MAX_BYTES = 255;
/** Longer ones do not count as an extension. */
const EXTENSION = /\.[^.\s]{1,16}$/u;
const NAMELESS = "document";

/** Never empty, `.` or `..`; at most 255 bytes, the extension kept. Folders before the name go. */
export function toFilename(given: string): string {
  const name = given.toWellFormed().normalize("NFC").replace(BREAKS, " ").replace(NOT_SHOWN, "");
  const last = name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1).trim();
  if (last === "" || last === "." || last === "..") return NAMELESS;
  return shorten(last);
}

function shorten(name: string): string {
  if (Buffer.byteLength(name) <= MAX_BYTES) return name;
  const extension = EXTENSION.exec(name.slice(-17))?.[0] ?? "";
  let kept = "";
  let room = MAX_BYTES - Buffer.byteLength(extension);
  for (const letter of name.slice(0, name.length - extension.length)) {
    room -= Buffer.byteLength(letter);
    if (room < 0) break;
    kept += letter;
  }
  return `${kept.trimEnd()}${extension}`;
}
