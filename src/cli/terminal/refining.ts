// What is found already, and the model is still to read.

export interface Refining {
  readonly documents: number;
  readonly chunks: number;
}

export function describeRefining({ documents, chunks }: Refining): string {
  const passages = chunks === 1 ? "1 passage" : `${chunks} passages`;
  return `${passages} of ${documents === 1 ? "1 document" : `${documents} documents`}, found already`;
}
