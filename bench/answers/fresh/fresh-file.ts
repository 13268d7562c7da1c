// A file, and what is asked about it. To the tables and forms in this folder no weight is fitted.
export interface FreshFile {
  readonly filename: string;
  readonly content: string | Buffer;
  /** Question and all that its answer must hold. */
  readonly asked: readonly (readonly [question: string, ...gold: readonly string[]])[];
}
