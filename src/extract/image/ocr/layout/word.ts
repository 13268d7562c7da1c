// A word or phrase that OCR found on a picture.

export interface OcrWord {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** 0 to 1. */
  readonly confidence: number;
}

/** Applied only after ordering, because the spaces show where a word of another box may belong. */
export function unspaced(word: OcrWord): OcrWord {
  return { ...word, text: word.text.replace(/(?<=[\u3005-\u9fff]) (?=[\u3005-\u9fff])/g, "") };
}
