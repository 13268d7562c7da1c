// While documents are embedded again after a switch, each is searched with the model that made its vectors. This finds
// the models, besides the one in use, that documents still have vectors of.
import { chooseEmbed, type Embed, type EmbedParts } from "../embed/embed.ts";
import { CATALOGUE } from "./catalogue.ts";
import { readInstalled } from "./installed.ts";

export interface OtherModelsParts {
  readonly dataDir: string;
  /** The model in use. */
  readonly own: Pick<Embed, "fingerprint">;
  readonly embed: EmbedParts;
  readonly documents: { hasVectorsOf(model: string): Promise<boolean> };
}

// A switch takes minutes, and each look reads a small file and asks the store once per model.
const LOOK_EVERY_MS = 10_000;

export function openOtherModels(parts: OtherModelsParts) {
  const opened = new Map<string, Promise<Embed>>();
  const known = { at: Number.NEGATIVE_INFINITY, needed: Promise.resolve<readonly Embed[]>([]) };
  return {
    /** Without those whose documents have all been embedded again. */
    needed(): Promise<readonly Embed[]> {
      if (performance.now() - known.at < LOOK_EVERY_MS) return known.needed;
      known.at = performance.now();
      known.needed = findNeeded(parts, opened);
      return known.needed;
    },
    async close(): Promise<void> {
      for (const port of opened.values()) await (await port).close();
    },
  };
}

async function findNeeded(
  { dataDir, own, embed, documents }: OtherModelsParts,
  opened: Map<string, Promise<Embed>>,
): Promise<readonly Embed[]> {
  const installed = await readInstalled(dataDir);
  const usable = installed.filter(({ name }) => CATALOGUE.get(name)?.kind === "embedding");
  const ports = [undefined, ...usable].map((model) => {
    const name = model?.name ?? "shipped";
    const port = opened.get(name) ?? chooseEmbed({}, embed, model);
    opened.set(name, port);
    return port;
  });
  const others = (await Promise.all(ports)).filter((port) => port.fingerprint !== own.fingerprint);
  const has = await Promise.all(others.map((port) => documents.hasVectorsOf(port.fingerprint)));
  return others.filter((_, at) => has[at]);
}
