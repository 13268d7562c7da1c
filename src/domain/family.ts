/** The four kinds of source, each with its own tools. */
export const FAMILIES = ["file", "answers", "documents", "scopes"] as const;
export type Family = (typeof FAMILIES)[number];
