// The tools' schemas as JSON Schema, by the tool's name. Empty in the source: the build fills it in, because translating
// them would take a tenth of a server's start.
export interface Translated {
  readonly input: object;
  readonly output: object;
}

export const TRANSLATED: Readonly<Record<string, Translated>> = {};
