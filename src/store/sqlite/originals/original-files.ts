// The folder of originals and its trash, checked against the database.

import { join } from "node:path";
import type { Message } from "../../../domain/phrases/messages.ts";
import { openTrash } from "../../core/trash.ts";
import type { DocumentRepository } from "../../documents/documents.ts";
import type { OriginalStore } from "../../store.ts";
import { ORIGINALS_FOLDER } from "../folder/identity.ts";
import type { Calls } from "../thread/thread-rpc.ts";
import type { Writer } from "../thread/writer.ts";
import { type Originals, openOriginals } from "./originals.ts";
import { problemOf, surveyOriginals, sweepOriginals } from "./sweep.ts";

export interface OriginalFiles {
  readonly files: Originals;
  readonly store: OriginalStore;
  /** What stopped the last sweep, if anything. */
  readonly swept: () => Message | undefined;
}

export function openOriginalFiles(
  dataDir: string,
  writer: Calls<Writer>,
  { unreferenced }: Pick<DocumentRepository, "unreferenced">,
): OriginalFiles {
  const folder = join(dataDir, ORIGINALS_FOLDER);
  const trash = openTrash(join(dataDir, "trash"));
  const ownership = () => writer.call("ownership", []);
  const isOurs = async () => problemOf(await ownership()) === undefined;
  const state: { ready?: Promise<unknown>; problem: Message | undefined } = { problem: undefined };
  const ready = () => {
    state.ready ??= ownership().catch((thrown: unknown) => {
      delete state.ready;
      throw thrown;
    });
    return state.ready;
  };
  const files = openOriginals({ folder, trash, unreferenced, isOurs, ready });
  const parts = { folder, originals: files, trash, writer, unreferenced };
  const store: OriginalStore = {
    ...files,
    async sweep() {
      const report = await sweepOriginals(parts);
      state.problem = report.kind === "stopped" ? report.problem : undefined;
      return report;
    },
    survey: () => surveyOriginals(parts),
  };
  return { files, store, swept: () => state.problem };
}
