// Every kind of source by its name; loaded only when one is synced.
import type { SourceKindName } from "../../domain/source.ts";
import type { SourceKind } from "./kind.ts";

export const KINDS: Readonly<Record<SourceKindName, () => Promise<SourceKind>>> = {
  folder: async () => (await import("./folder/folder.ts")).folder,
  site: async () => (await import("./site/site.ts")).site,
  git: async () => (await import("./git.ts")).git,
  s3: async () => (await import("./s3.ts")).s3,
  export: async () => (await import("./export/export.ts")).exported,
};
