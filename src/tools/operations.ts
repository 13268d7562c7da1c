// What people can do that agents cannot: the command line's and the console's own verbs.
// A room that has one declares it here as an optional method, and app.ts supplies it.
import type { Readable } from "node:stream";
import type { Principal } from "../domain/principal.ts";
import type { JsonObject } from "./tool.ts";

export interface Upload {
  readonly filename: string;
  readonly body: Readable;
  readonly principal: Principal;
}

/** A document's file as it was added. `release` it when it has been read. */
export interface Original {
  readonly filename: string;
  readonly sizeBytes: number;
  readonly body: Readable;
  release(): Promise<void>;
}

export interface Operations {
  /** Takes a file's bytes in; answers as an asynchronous `knowledge-add` does. */
  readonly upload?: (upload: Upload) => Promise<JsonObject>;
  readonly original?: (documentId: string) => Promise<Original>;
}
