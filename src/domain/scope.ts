// Rules in a hierarchy. A scope inherits everything from its parent chain; the most specific wins.

/** From general to specific; a parent's tier comes before its child's. */
export const TIERS = ["GENERAL", "PRODUCT", "GROUP", "PROJECT"] as const;
export type Tier = (typeof TIERS)[number];

/** What rules are exported as. */
export const EXPORT_FORMATS = ["json", "yaml"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Files that coding agents read. */
export const RULE_FILE_FORMATS = ["agents", "cursor", "copilot"] as const;
export type RuleFileFormat = (typeof RULE_FILE_FORMATS)[number];

/** In characters. A whole entry goes into a model's context, so 64 K is far more than anybody needs. */
export const RULE_LIMITS = {
  id: 200,
  category: 100,
  keyword: 200,
  description: 2_000,
  content: 65_536,
} as const;

export type RuleText = keyof typeof RULE_LIMITS;
export type NameFault = "empty" | "too-long" | "control" | "slash";

// C0 and C1 controls, line and paragraph separators: a name is one visible line.
const NOT_IN_NAMES = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** As it is stored and compared: NFC, no surrounding space, no lone surrogates. Case is kept. */
export function toName(text: string): string {
  return text.toWellFormed().normalize("NFC").trim();
}

/** Why a text is not accepted, or undefined: the server's rule, which forms also check during typing. */
export function nameFault(kind: RuleText, value: string): NameFault | undefined {
  if (kind !== "description" && value === "") return "empty";
  if (value.length > RULE_LIMITS[kind]) return "too-long";
  if (kind === "content" || kind === "description") return undefined;
  if (NOT_IN_NAMES.test(value)) return "control";
  // "category/keyword" names an entry, so the first slash must end the category.
  return kind === "category" && value.includes("/") ? "slash" : undefined;
}

export interface Scope {
  readonly id: string;
  readonly tier: Tier;
  readonly parent?: string;
  readonly description?: string;
}

interface Category {
  readonly name: string;
  readonly description: string;
}

export interface Entry {
  readonly category: string;
  readonly keyword: string;
  readonly content: string;
}

/** A scope with its own entries, nothing inherited. */
export interface ScopeContent extends Scope {
  readonly categories: readonly Category[];
  readonly entries: readonly Entry[];
}
