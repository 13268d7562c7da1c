// Containers of old Office files and Outlook mails, and what is needed of PPT and MSG inside them.

const SECTOR = 512;
const END = 0xfffffffe;
const FREE = 0xffffffff;

interface Node {
  readonly name: string;
  readonly content?: Buffer;
  readonly children: Node[];
}

/** Streams by path; storages come with them. All streams lie in whole sectors. */
export function makeCompound(streams: Readonly<Record<string, Buffer>>): Buffer {
  const root: Node = { name: "Root Entry", children: [] };
  for (const [path, content] of Object.entries(streams)) put(root, path.split("/"), content);
  const sectors: Buffer[] = [];
  const next: number[] = [];
  const write = (bytes: Buffer): number => {
    if (bytes.length === 0) return END;
    const first = sectors.length;
    for (let at = 0; at < bytes.length; at += SECTOR) {
      sectors.push(Buffer.concat([bytes.subarray(at, at + SECTOR), Buffer.alloc(SECTOR)], SECTOR));
      next.push(sectors.length);
    }
    next[next.length - 1] = END;
    return first;
  };
  const entries: Buffer[] = [];
  addEntry(root, entries, write);
  const directory = write(Buffer.concat(entries));
  const fatSectors = Math.ceil((sectors.length + 1) / (SECTOR / 4 - 1));
  const firstFat = sectors.length;
  for (let at = 0; at < fatSectors; at += 1) next.push(0xfffffffd);
  const fat = Buffer.alloc(fatSectors * SECTOR, 0xff);
  for (const [at, value] of next.entries()) fat.writeUInt32LE(value, at * 4);
  return Buffer.concat([header(directory, firstFat, fatSectors), ...sectors, fat]);
}

function put(node: Node, [name = "", ...rest]: readonly string[], content: Buffer): void {
  if (rest.length === 0) {
    node.children.push({ name, content, children: [] });
    return;
  }
  const found = node.children.find((child) => child.name === name) ?? { name, children: [] };
  if (!node.children.includes(found)) node.children.push(found);
  put(found, rest, content);
}

/** Children form a list to the right: a tree that is not balanced, but valid. */
function addEntry(node: Node, entries: Buffer[], write: (bytes: Buffer) => number): number {
  const entry = Buffer.alloc(128);
  const at = entries.push(entry) - 1;
  const name = Buffer.from(`${node.name}\0`, "utf16le");
  name.copy(entry);
  entry.writeUInt16LE(name.length, 64);
  const kind = node.content === undefined ? 1 : 2;
  entry.writeUInt8(at === 0 ? 5 : kind, 66);
  entry.writeUInt32LE(FREE, 68);
  entry.writeUInt32LE(FREE, 72);
  entry.writeUInt32LE(FREE, 76);
  entry.writeUInt32LE(node.content === undefined ? END : write(node.content), 116);
  entry.writeUInt32LE(node.content?.length ?? 0, 120);
  let before: number | undefined;
  for (const child of node.children) {
    const added = addEntry(child, entries, write);
    if (before === undefined) entry.writeUInt32LE(added, 76);
    else entries[before]?.writeUInt32LE(added, 72);
    before = added;
  }
  return at;
}

function header(directory: number, firstFat: number, fatSectors: number): Buffer {
  const head = Buffer.alloc(SECTOR, 0);
  Buffer.from("d0cf11e0a1b11ae1", "hex").copy(head);
  head.writeUInt16LE(3, 26);
  head.writeUInt16LE(0xfffe, 28);
  head.writeUInt16LE(9, 30);
  head.writeUInt32LE(fatSectors, 44);
  head.writeUInt32LE(directory, 48);
  // No stream is small enough for the sectors of 64 bytes.
  head.writeUInt32LE(0, 56);
  head.writeUInt32LE(END, 60);
  head.writeUInt32LE(END, 68);
  for (let at = 0; at < 109; at += 1)
    head.writeUInt32LE(at < fatSectors ? firstFat + at : FREE, 76 + at * 4);
  return head;
}

/** Properties by number and type, as `0037001F`. */
export function makeMsg(
  texts: Readonly<Record<string, string | Buffer>>,
  attached: readonly Readonly<Record<string, string | Buffer>>[] = [],
): Buffer {
  const streams = (prefix: string, properties: Readonly<Record<string, string | Buffer>>) =>
    Object.entries(properties).map(
      ([property, value]) =>
        [
          `${prefix}__substg1.0_${property}`,
          typeof value === "string" ? Buffer.from(value, "utf16le") : value,
        ] as const,
    );
  const sent = Buffer.alloc(32 + 16);
  sent.writeUInt16LE(0x40, 32);
  sent.writeUInt16LE(0x39, 34);
  sent.writeBigUInt64LE(BigInt(Date.UTC(2026, 2, 2) + 11_644_473_600_000) * 10_000n, 40);
  return makeCompound({
    "__properties_version1.0": sent,
    ...Object.fromEntries(streams("", texts)),
    ...Object.fromEntries(
      attached.flatMap((each, at) => streams(`__attach_version1.0_#0000000${at}/`, each)),
    ),
  });
}

function record(type: number, data: Buffer, options = 0): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt16LE(options, 0);
  head.writeUInt16LE(type, 2);
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data]);
}

const container = (type: number, parts: readonly Buffer[], instance = 0) =>
  record(type, Buffer.concat(parts), (instance << 4) | 0xf);

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32LE(value, at * 4);
  return bytes;
}

/** Slides with a title and lines, in the order given; the records lie in the file in reverse. */
export function makePpt(
  slides: readonly { readonly title: string; readonly text: string; readonly isHidden?: true }[],
): Buffer {
  const parts: Buffer[] = [];
  const places: number[] = [];
  const add = (part: Buffer): number => {
    places.push(parts.reduce((sum, { length }) => sum + length, 0));
    parts.push(part);
    return places.length;
  };
  const ids = slides
    .toReversed()
    .map(({ text, isHidden }) => {
      const show = record(1017, numbers(0, 0, isHidden ? 4 << 16 : 0, 0));
      const box = container(0xf00d, [record(4000, Buffer.from(text, "utf16le"))]);
      return add(container(1006, isHidden ? [show, box] : [box]));
    })
    .toReversed();
  const listed = slides.flatMap(({ title }, at) => [
    record(1011, numbers(ids[at] ?? 0, 0, 0, 256 + at, 0)),
    record(3999, numbers(0)),
    record(4008, Buffer.from(title, "latin1")),
  ]);
  const document = add(container(1000, [container(4080, listed)]));
  const list = add(record(6002, numbers((places.length << 20) | 1, ...places)));
  const edit = add(record(4085, numbers(0, 0, 0, places[list - 1] ?? 0, document, 0, 0)));
  const user = Buffer.alloc(24);
  user.writeUInt32LE(places[edit - 1] ?? 0, 16);
  return makeCompound({ "Current User": user, "PowerPoint Document": Buffer.concat(parts) });
}
