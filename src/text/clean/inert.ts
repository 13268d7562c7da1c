// Makes text from outside harmless to show: it may fill a line, but not control a terminal or a log.

// C0, DEL and C1 drive terminals; the rest hides or turns around what people read: bidi controls, zero-width and
// other invisible characters, line separators, tags.
const CONTROL = "\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f";
const UNSEEN =
  "\\u00ad\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\u{e0000}-\\u{e0fff}";
const CONTROLS = new RegExp(`[${CONTROL}]`, "g");
const HIDDEN = new RegExp(`[${UNSEEN}]`, "gu");
/** Every character that controls or hides something, except line breaks and tabs. */
export const ACTIVE = new RegExp(`[${CONTROL}${UNSEEN}]`, "gu");
const PLAIN = /^[\n -~]*$/;

/** Lines of visible text: control characters show as a replacement mark, invisible ones go. */
export function inertText(text: string, tabs: "keep" | "space" = "space"): string {
  if (PLAIN.test(text)) return text;
  const plain = text
    .toWellFormed()
    .replaceAll("\r\n", "\n")
    .replace(CONTROLS, "\ufffd")
    .replace(HIDDEN, "");
  return tabs === "keep" ? plain : plain.replaceAll("\t", "    ");
}

/** JSON that says the same and shows nothing raw but ASCII's own line breaks and visible text. */
export function inertJson(value: unknown, indent?: number): string {
  const json = JSON.stringify(value, null, indent);
  if (PLAIN.test(json)) return json;
  return json.replace(ACTIVE, (found) =>
    Array.from({ length: found.length }, (_, at) => {
      const unit = found.charCodeAt(at).toString(16).padStart(4, "0");
      return `\\u${unit}`;
    }).join(""),
  );
}
