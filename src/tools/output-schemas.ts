// The output schemas as JSON Schema, by the tool's name. Empty in the source: the build fills it in, because translating
// them would take a tenth of a server's start.
export const TRANSLATED: Readonly<Record<string, object>> = {};
