// What speaks for and against an answer, for each way of finding it; each signal is a number from 0 to 1. The models in
// `weights.ts` need a weight for every signal of their kind, and take no other.

/** Signals of a sentence: does it answer the question, or only mention the same things? */
export interface QuoteSignals {
  /** Share of the question's words in the sentence. Rare words count more, here and in the other shares. */
  readonly covered: number;
  /** The same for the neighbouring sentences and the titles above, without the words in the sentence itself. */
  readonly near: number;
  /** Weight of the most important question word that is missing from the sentence. */
  readonly rarestMissing: number;
  /** The question's names that the passage does not contain; two or more count as 1. */
  readonly missingNames: number;
  /** The sentence lacks a number of the question. */
  readonly missingNumbers: number;
  /** The question is negated and the sentence is not. */
  readonly denied: number;
  /** The sentence contains the opposite of a question word. */
  readonly opposed: number;
  /** Nothing in the sentence has the expected shape: a person, a place, a time, a number, a reason. */
  readonly unshaped: number;
  /** The same, if the expected shape is a number. */
  readonly unmeasured: number;
  /** How many words match; eight or more count as 1. */
  readonly agreeing: number;
  /** Cosine of question and sentence. */
  readonly alike: number;
  /** Cosine of question and passage. */
  readonly topic: number;
  /** The lead over the best sentence of any other passage; 1 is a large lead. */
  readonly ahead: number;
  /** The question asks for a definition and the sentence gives one. */
  readonly defines: number;
  /** The text is loose words, as in pictures and slides: neither a sentence nor a label with a value. */
  readonly fragment: number;
  /** Share of the question's words in the heading or term above the sentence. */
  readonly headed: number;
  /** Share of the words for what is asked that the sentence does not say, not even with synonyms. */
  readonly unnamed: number;
  /** The same as `unnamed` if the question asks for an attribute, else 0. */
  readonly unsaid: number;
  /**
   * If the sentence is a table row: the share of the words for what is asked, or for the subject,
   * that its table does not say.
   */
  readonly unlabelled: number;
  /**
   * Share of all the question's words that neither the sentence nor the heading above it says, not
   * even with synonyms.
   */
  readonly uncovered: number;
  /**
   * If only one word or name agrees: the larger of `uncovered` and the share of the subject's words
   * that are not even in the passage or its titles.
   */
  readonly thin: number;
}

/** Leaves out signals that say the same less well: next to the others their weights get the wrong sign. */
export type QuoteSignal = Exclude<
  keyof QuoteSignals,
  "covered" | "rarestMissing" | "headed" | "unnamed"
>;

/** Whether the passages are about the question at all. */
export type RelatedSignal = keyof Pick<
  QuoteSignals,
  "topic" | "alike" | "covered" | "headed" | "agreeing" | "missingNames" | "rarestMissing"
>;

/** Signals that can be compared across languages: meaning, numbers, shape. */
export type OtherLanguageSignal = keyof Pick<
  QuoteSignals,
  "alike" | "topic" | "ahead" | "unshaped" | "missingNumbers" | "opposed"
>;

/** Signals of table cells that were looked up or computed. */
export interface TableSignals {
  /** Share of the question's words found in the table, the headings or the file name; names and numbers weigh more. */
  readonly explained: number;
  /** Share of the target column's name that is in the question. */
  readonly column: number;
  /** Share of the found row's name that is in the question; 1 if the question is about all rows. */
  readonly row: number;
  /** If one row was asked for, 1 divided by the number found. */
  readonly single: number;
  /** Names in the question that belong to rows not chosen; two or more count as 1. */
  readonly conflicts: number;
  /** Names and numbers in the question that were found nowhere; two or more count as 1. */
  readonly strange: number;
  /** The attribute asked for is neither a column, a row nor a computation. */
  readonly unsaid: number;
  /** 1 divided by the rank of the document's best passage. */
  readonly near: number;
}

/** Signals of a form's field. */
export interface FormSignals {
  /** Share of the question's words that are in the label or on its page; names and numbers weigh more. */
  readonly explained: number;
  /** Share of the question's words that are in the label. */
  readonly asked: number;
  /** Names and numbers in the question that were found nowhere; two or more count as 1. */
  readonly strange: number;
  /** Share of the label's words that are in the question. */
  readonly label: number;
  /** The label contains the word asked for: "date" in "the date of the invoice". */
  readonly head: number;
  /** The value has the expected type. */
  readonly shaped: number;
  /** Share of the document that consists of labels and values. */
  readonly density: number;
  /** 1 divided by the rank of the document's best passage. */
  readonly near: number;
}
