// server.json with the bundle of one platform, for the registry.
import { createHash } from "node:crypto";

interface ServerJson {
  readonly version: string;
  readonly repository: { readonly url: string };
  readonly packages: readonly object[];
}

interface Bundle {
  readonly file: string;
  readonly bytes: Uint8Array;
}

export function withBundle<Entry extends ServerJson>(entry: Entry, { file, bytes }: Bundle): Entry {
  const { version, repository, packages } = entry;
  const bundle = {
    registryType: "mcpb",
    identifier: `${repository.url}/releases/download/v${version}/${file}`,
    version,
    fileSha256: createHash("sha256").update(bytes).digest("hex"),
    transport: { type: "stdio" },
  };
  return { ...entry, packages: [...packages, bundle] };
}
