// Which kind of source an address is, where only one is likely; and the address in the form that is stored.
import { isAbsolute, join } from "node:path";
import { denied, KnowledgeError, toKnowledgeError } from "../../domain/errors.ts";
import { toMessage } from "../../domain/phrases/messages.ts";
import { SOURCE_KINDS, type SourceDescription, type SourceKindName } from "../../domain/source.ts";
import { lookAt } from "../../files/regular-file.ts";
import type { IngestOptions } from "../ingest.ts";
import { webIsOff } from "../intake/intake.ts";
import { openPathGate, type PathGateOptions } from "../intake/path-gate.ts";
import { toPageAddress } from "../web/page-address.ts";

export interface GivenSource extends Omit<SourceDescription, "kind"> {
  readonly kind?: SourceKindName | undefined;
}

/** Hosts on which the first two parts of a path name a repository. */
const FORGES =
  /^https:\/\/(?:github\.com|gitlab\.com|codeberg\.org|bitbucket\.org)\/[^/]+\/[^/]+\/?$/;
const SSH = /^(?:ssh:\/\/|[\w.-]+@[\w.-]+:)/;

export async function toDescription(given: GivenSource): Promise<SourceDescription> {
  const address = given.address.trim();
  const kind = given.kind ?? (await guess(address));
  if (kind === undefined) return refuse("sourceKindUnclear", SOURCE_KINDS.join("|"));
  const { settings } = given;
  return { kind, address: await checked(kind, address, new Set(settings.allowHosts)), settings };
}

async function checked(kind: SourceKindName, address: string, hosts: ReadonlySet<string>) {
  const isWeb = /^https?:/i.test(address);
  if (isWeb && (kind === "site" || kind === "git")) return withoutSecret(address, hosts);
  if (kind === "s3") {
    const { toS3Address } = await import("./s3.ts");
    return toS3Address(address) ?? refuse("s3Address");
  }
  if ((kind === "git" && SSH.test(address)) || isAbsolute(address)) return address;
  if (kind === "site") return toPageAddress(address, hosts).url.href;
  return kind === "git" ? refuse("gitAddress") : refuse("folderAddress", kind);
}

const SECRET_NAME = /token|secret|passw|signature|credential|api[-_]?key|^(?:sig|key|auth)$/i;

function withoutSecret(address: string, hosts: ReadonlySet<string>): string {
  const { url } = toPageAddress(address, hosts);
  const name = [...url.searchParams.keys()].find((each) => SECRET_NAME.test(each));
  return name === undefined ? url.href : refuse("sourceSecret", name);
}

async function guess(address: string): Promise<SourceKindName | undefined> {
  if (SSH.test(address) || FORGES.test(address) || /\.git\/?$/.test(address)) return "git";
  if (/^https?:/i.test(address)) return "site";
  if (address.startsWith("s3://")) return "s3";
  const has = (name: string) =>
    lookAt(join(address, name)).then(
      () => true,
      () => false,
    );
  if (!isAbsolute(address)) return undefined;
  // A vault may be in a repository too; as a vault it has tags and links.
  if (await has(".obsidian")) return "export";
  if ((await has(".git")) || ((await has("HEAD")) && (await has("objects")))) return "git";
  const { isExportFolder, isExportName } = await import("./export/files.ts");
  if (isExportName(address) || (await isExportFolder(address))) return "export";
  const found = await lookAt(address).catch(() => undefined);
  return found?.isDirectory() ? "folder" : undefined;
}

export type CallerBounds = PathGateOptions & Pick<IngestOptions, "web">;

/**
 * What callers may add: public pages if the server fetches any, and paths inside the allowed folders, as for an add. The
 * server's own keys, and hosts in its network, are for people at its machine.
 */
export async function refuseForCallers(
  { address, settings }: Pick<SourceDescription, "address" | "settings">,
  { web, ...options }: CallerBounds,
): Promise<void> {
  if (settings.anywhere) return;
  const isWeb = /^https?:/i.test(address);
  if (isWeb && web === undefined) throw webIsOff();
  if (isWeb) return;
  if (!isAbsolute(address)) throw denied("forPeopleOnly");
  const gate = openPathGate(options);
  if ((await gate.folder(address)) !== undefined) return;
  await gate.open(address).then(
    ({ handle }) => handle.close(),
    (thrown: unknown) => {
      // What is not there is refused when it is synced.
      if (toKnowledgeError(thrown).code !== "FILE_NOT_FOUND") throw thrown;
    },
  );
}

function refuse(...reason: Parameters<typeof toMessage>): never {
  const details = { parameter: "address" };
  throw new KnowledgeError("INVALID_PARAMETER", toMessage(...reason), { details });
}
