// One page that a caller named, asked for with the ETag or date of the document that there is of it.
import { GENERAL_SCOPE } from "../../../domain/call/grants.ts";
import { KnowledgeError } from "../../../domain/errors.ts";
import { readInternalMetadata } from "../../../domain/internal-metadata.ts";
import { toMessage } from "../../../domain/phrases/messages.ts";
import type { AddRequest } from "../../../domain/task.ts";
import { type Accepted, alreadyPresent, type UploadSource, webIsOff } from "../../intake/intake.ts";
import { type Fetched, fetchPage } from "../../web/fetch-page.ts";
import type { SourceParts } from "../kind.ts";

/** The document of a page is identified by its address after redirects. */
export async function takePage(
  { sourcePath: url = "", scope = GENERAL_SCOPE }: AddRequest,
  { store, web, maxFileBytes: maxBytes, accept }: SourceParts,
  signal: AbortSignal,
): Promise<Accepted> {
  if (web === undefined) throw webIsOff();
  const at = (address: string) => store.documents.findByPath(address, scope);
  const known = async (address: string) => {
    const document = await at(address);
    return document && readInternalMetadata(document.metadata).page;
  };
  const fetched = await fetchPage(url, { web, maxBytes, signal, known });
  if (fetched.kind === "page") return accept(toUpload(fetched), signal);
  const same = await at(fetched.url);
  // Else the document was removed during the request.
  if (same === undefined) throw new KnowledgeError("FILE_UNAVAILABLE", toMessage("pageNotSent"));
  return alreadyPresent(same);
}

type Page = Extract<Fetched, { kind: "page" }>;

export function toUpload(
  page: Omit<Page, "bytes" | "isMoved"> & Pick<UploadSource, "bytes">,
): UploadSource {
  const { url, filename, validators, bytes } = page;
  const { modified } = validators;
  return {
    kind: "upload",
    filename,
    sourcePath: url,
    modified,
    bytes,
    page: { url, ...validators },
  };
}
