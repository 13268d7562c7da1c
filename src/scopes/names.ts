// What ids, names and contents may look like, wherever they come from: a tool, a file, the store.
import { KnowledgeError } from "../domain/errors.ts";
import { RULE_LIMITS as LIMITS } from "../domain/scope.ts";

type Named = keyof typeof LIMITS;

// C0 and C1 controls, line and paragraph separators: a name is one visible line.
const NOT_IN_NAMES = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** As it is stored and compared: NFC, no surrounding space, no lone surrogates. Case is kept. */
export function toName(text: string): string {
  return text.toWellFormed().normalize("NFC").trim();
}

/** Line ends are LF, and what no store can keep (NUL, lone surrogates) is gone; otherwise as written. */
export function toContent(text: string): string {
  return text.toWellFormed().replaceAll("\u0000", "").replace(/\r\n?/g, "\n").trim();
}

export function toDescription(text: string): string {
  return toName(text.toWellFormed().replaceAll("\u0000", "").replace(/\s+/g, " "));
}

/** Why the value cannot be taken, or undefined. Expects what `toName` or `toContent` gave. */
export function fault(kind: Named, value: string): string | undefined {
  if (kind !== "description" && value === "") return `the ${kind} is empty`;
  if (value.length > LIMITS[kind]) {
    return `the ${kind} has ${value.length} characters; at most ${LIMITS[kind]} are taken`;
  }
  if (kind === "content" || kind === "description") return undefined;
  if (NOT_IN_NAMES.test(value)) return `the ${kind} holds a control character or a line break`;
  // "category/keyword" names an entry, so the first slash must end the category.
  if (kind === "category" && value.includes("/")) return 'a category\'s name cannot hold "/"';
  return undefined;
}

function cleaned(kind: Named, value: string): string {
  if (kind === "content") return toContent(value);
  return kind === "description" ? toDescription(value) : toName(value);
}

export function accept(kind: Named, value: string, parameter: string): string {
  const clean = cleaned(kind, value);
  const reason = fault(kind, clean);
  if (reason !== undefined) {
    throw new KnowledgeError("INVALID_PARAMETER", `${parameter}: ${reason}.`, {
      details: { parameter },
    });
  }
  return clean;
}
