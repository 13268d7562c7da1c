// Documents that are shown often and old: what to check or replace first.

import { defined } from "../../domain/defined.ts";
import { readInternalMetadata } from "../../domain/internal-metadata.ts";
import type { CallContext } from "../tool.ts";
import { ageOf } from "./search-results.ts";
import { type DocumentRooms, scopeOf, within } from "./tool.ts";

export interface StaleWanted {
  readonly olderThanDays: number;
  readonly limit: number;
  readonly scope?: string | undefined;
}

/** `shown`: in how many responses of servers; `modified`: the source's own date, if it is known. */
export type StaleDocument = Readonly<Awaited<ReturnType<typeof listStale>>[number]>;

const DAY_MS = 24 * 3_600_000;

export async function listStale(
  rooms: DocumentRooms,
  who: Pick<CallContext, "principal">,
  { olderThanDays, limit, scope }: StaleWanted,
) {
  const asOf = new Date(Date.now() - olderThanDays * DAY_MS).toISOString();
  const { documents } = await rooms.store();
  const found = await documents.shownMost({ asOf, ...(await within(rooms, who, scope)) }, limit);
  return found.map(({ document, shown }) => {
    const { id, filename, title, dateAdded: added, metadata } = document;
    const { modified } = readInternalMetadata(metadata);
    return {
      ...{ document_id: id, filename, scope: scopeOf(document), date_added: added, shown },
      ...defined({ title, modified, age: ageOf(modified ?? added) }),
    };
  });
}
