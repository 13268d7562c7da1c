/** The four kinds of source, each with its own tools. */
export const FAMILIES = ["file", "answers", "documents", "scopes"] as const;
/** An extra family, enabled by `--tools`: the documents through the tool names that one client expects. */
const OPTIONAL = ["chatgpt"] as const;
export type Family = (typeof FAMILIES)[number] | (typeof OPTIONAL)[number];

/** What `--tools` may name: a family, or the tools of a family that only read. */
export type ToolChoice = Family | `${Family}:read`;

export const TOOL_CHOICES: readonly ToolChoice[] = [...FAMILIES, ...OPTIONAL].flatMap(
  (family) => [family, `${family}:read`] as const,
);

export function chosenOf(family: Family, choices: readonly ToolChoice[]): "all" | "read" | "none" {
  if (choices.includes(family)) return "all";
  return choices.includes(`${family}:read`) ? "read" : "none";
}
