// The input and output of every format's reader.
import type { Metadata, ProcessingMethod } from "../domain/document.ts";
import type { ExtractProgress } from "./extract.ts";
import type { ExtractLimits } from "./limits.ts";
import type { Writer } from "./writer.ts";

export interface OcrSettings {
  /** The folder with LANGUAGE.traineddata files. */
  readonly dataDir: string;
  /** A folder with more of them; they take precedence over files of the same name. */
  readonly moreDataDir?: string | undefined;
  /** Tesseract's language names: eng, jpn, … */
  readonly languages: readonly string[];
}

/** The settings that a reader process is started with. */
export interface ReadSettings {
  readonly ocr: OcrSettings;
  readonly limits: ExtractLimits;
}

export interface ReadEvents {
  readonly progress: (progress: ExtractProgress) => void;
  /** Reports that work continues, so a slow page is not mistaken for a hang. */
  readonly alive: () => void;
}

export interface SourceFile {
  readonly bytes: Buffer;
  readonly filename: string;
  readonly forceOcr: boolean;
}

export interface ReadContext extends SourceFile, ReadSettings, ReadEvents {
  readonly out: Writer;
  /**
   * Reads a file that is inside this one into the same document. Rejects with KnowledgeError, as
   * for the file itself.
   */
  readonly readPart: (part: Pick<SourceFile, "bytes" | "filename">) => Promise<void>;
}

export interface ReadOutcome {
  readonly method: ProcessingMethod;
  readonly title?: string;
  /** The file's own metadata. */
  readonly metadata?: Metadata;
}

export type Reader = (context: ReadContext) => Promise<ReadOutcome> | ReadOutcome;
