// Writes zip archives for tests: stored entries, so that their bytes are plain to see.
import { crc32 } from "node:zlib";

export type ZipParts = Readonly<Record<string, string | Buffer>>;

export function makeZip(parts: ZipParts): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(parts)) {
    const data = Buffer.from(content);
    const title = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x800, 2);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(title.length, 22);
    local.push(Buffer.from("PK\u0003\u0004"), common, title, data);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    central.push(Buffer.from("PK\u0001\u0002\u0014\u0000"), common, tail, title);
    offset += 30 + title.length + data.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(Object.keys(parts).length, 4);
  end.writeUInt16LE(Object.keys(parts).length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...local, directory, Buffer.from("PK\u0005\u0006"), end]);
}
