// Fetches a web page, which is identified by its URL after redirects.
import type { StoredDocument } from "../../domain/document.ts";
import { KnowledgeError } from "../../domain/errors.ts";
import { readInternalMetadata } from "../../domain/internal-metadata.ts";
import type { Store } from "../../store/store.ts";
import { toFilename } from "../../text/clean/filename.ts";
import type { Fetched, Web } from "../web/fetch-page.ts";
import { toPageAddress } from "../web/page-address.ts";
import type { Accepted, Source } from "./intake.ts";
import { refuseSecretName } from "./secret-content.ts";

interface Taking {
  readonly store: Store;
  readonly web?: Web | undefined;
  readonly maxFileBytes: number;
  readonly signal: AbortSignal;
  readonly checkName: (filename: string) => void;
  readonly keep: (
    bytes: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ) => Promise<Pick<Accepted, "contentHash" | "sizeBytes" | "ensureStored" | "release">>;
}

export async function takePage(
  { url, refresh }: Extract<Source, { kind: "page" }>,
  taking: Taking,
): Promise<Accepted> {
  const { store, web, maxFileBytes: maxBytes, signal } = taking;
  if (web === undefined) throw switchedOff();
  const at = (address: string) => store.documents.findByPath(address);
  const present = await at(toPageAddress(url).url.href);
  if (present !== undefined && !refresh) return alreadyPresent(present);
  const known = async (address: string) => {
    const document = await at(address);
    return document && readInternalMetadata(document.metadata).page;
  };
  // Imported here, because it loads Node's HTTP client, which most servers do not need.
  const { fetchPage } = await import("../web/fetch-page.ts");
  const fetched = await fetchPage(url, { web, maxBytes, signal, known });
  if (fetched.kind === "page") return takeNew(fetched, taking);
  const same = await at(fetched.url);
  if (same !== undefined) return alreadyPresent(same);
  // The document was removed during the request, so fetch the page without validators.
  const again = await fetchPage(url, { web, maxBytes, signal, known: async () => undefined });
  if (again.kind === "page") return takeNew(again, taking);
  throw new KnowledgeError("FILE_UNAVAILABLE", "The site did not send the page. Try again later.");
}

async function takeNew(
  { url, filename: given, validators, bytes }: Extract<Fetched, { kind: "page" }>,
  { keep, checkName, signal }: Taking,
): Promise<Accepted> {
  const filename = toFilename(given);
  refuseSecretName(filename);
  checkName(filename);
  const kept = await keep(bytes, signal);
  return { filename, sourcePath: url, page: { url, ...validators }, ...kept };
}

/** For a page that is already in the knowledge base: its task ends at once with that document. */
function alreadyPresent({
  filename,
  sourcePath,
  contentHash,
  sizeBytes,
}: StoredDocument): Accepted {
  const place = sourcePath === undefined ? {} : { sourcePath };
  const nothing = async () => {};
  return { filename, ...place, contentHash, sizeBytes, ensureStored: nothing, release: nothing };
}

function switchedOff(): KnowledgeError {
  return new KnowledgeError(
    "ACCESS_DENIED",
    "Fetching web pages is off on this server. Start it with --allow-urls, or save the page as a file and add that.",
  );
}
