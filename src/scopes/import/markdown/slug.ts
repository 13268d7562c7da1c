// Short names from headings: "3. Ownership & `Borrowing`" becomes "ownership-borrowing".
import { toPlain } from "../formats/plain.ts";

const MAX_CHARACTERS = 48;

/** Splits text into words without Markdown, numbering and pictures; letters of any script are kept. */
export function words(text: string): readonly string[] {
  return (
    withoutUrls(toPlain(text))
      .replace(/^(?:\d+(?:\.\d+)*[.)]|§)\s+/, "")
      .normalize("NFC")
      .toLowerCase()
      .replace(/['’]/g, "")
      .replace(/c\+\+/g, "cpp")
      .replace(/\b([cf])#/g, "$1sharp")
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}

export function slug(text: string, most = MAX_CHARACTERS): string {
  let made = "";
  for (const word of words(text)) {
    if (made !== "" && made.length + 1 + word.length > most) break;
    made = made === "" ? word.slice(0, most) : `${made}-${word}`;
  }
  return made;
}

/** If the slug left words out, the entry repeats its heading. */
export function slugKeepsAllWords(text: string, made: string): boolean {
  return slug(text, Number.POSITIVE_INFINITY) === made;
}

/** A heading that is an address gets its name from the address's last part. */
function withoutUrls(text: string): string {
  const only = /^https?:\/\/\S+$/.exec(text)?.[0];
  if (only === undefined) return text.replace(/https?:\/\/\S+/g, "");
  return only.split(/[/#?]+/).findLast((part) => part !== "") ?? "";
}
