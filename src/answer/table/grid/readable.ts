import { words } from "../../../text/words.ts";
import { foldInPlace } from "./fold.ts";

/** A text prepared for comparison with questions. */
export interface Readable {
  readonly keys: ReadonlySet<string>;
  readonly folded: string;
}

export function toReadable(text: string): Readable {
  return { keys: new Set(words(text).map(({ key }) => key)), folded: foldInPlace(text) };
}
