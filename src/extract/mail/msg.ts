// MSG, Outlook's format for one mail: each property is a stream, each attachment a storage.

import { damaged } from "../failures.ts";
import { type CompoundFile, openCompoundFile } from "../office/binary/compound-file.ts";
import { decodeCodePage } from "../plain/charset.ts";
import { readRtf } from "../plain/rtf.ts";
import type { ReadContext, ReadOutcome } from "../reader.ts";
import { type Attachment, type Mail, quiet, writeMail } from "./mail.ts";

const PROPERTY = {
  sent: "0039",
  subject: "0037",
  sender: "0C1A",
  senderAddress: "0C1F",
  senderInternetAddress: "5D01",
  cc: "0E03",
  to: "0E04",
  received: "0E06",
  body: "1000",
  rtf: "1009",
  html: "1013",
  data: "3701",
  shortName: "3704",
  name: "3707",
  displayName: "3001",
} as const;
const PROPERTIES = "__properties_version1.0";
const CODE_PAGES = ["3FFD", "3FDE"];
const MAX_DEPTH = 3;

export async function readMsg(context: ReadContext): Promise<ReadOutcome> {
  const file = openCompoundFile(context.bytes);
  const subject = await writeMessage(file, "", context, 0);
  context.out.report("text");
  return { method: "text_extraction", ...(subject === "" ? {} : { title: subject }) };
}

async function writeMessage(
  file: CompoundFile,
  path: string,
  context: ReadContext,
  depth: number,
): Promise<string> {
  const message = openMessage(file, path);
  const sender =
    message.text(PROPERTY.senderInternetAddress) || message.text(PROPERTY.senderAddress);
  const mail: Mail = {
    subject: message.text(PROPERTY.subject),
    from: shown(message.text(PROPERTY.sender), sender),
    to: message.text(PROPERTY.to),
    cc: message.text(PROPERTY.cc),
    date: message.time(PROPERTY.sent) ?? message.time(PROPERTY.received) ?? "",
    text: message.text(PROPERTY.body),
    html: message.bytes(PROPERTY.html),
    attachments: attachmentsOf(file, path),
  };
  const rtf = mail.text === "" && mail.html === undefined ? message.bytes(PROPERTY.rtf) : undefined;
  await writeMail(mail, context);
  if (rtf !== undefined) await readRtf({ ...quiet(context), bytes: decompressRtf(rtf) });
  for (const inner of depth < MAX_DEPTH ? innerMessages(file, path) : []) {
    await writeMessage(file, inner, context, depth + 1);
  }
  return mail.subject.trim();
}

const shown = (name: string, address: string) =>
  address === "" || address === name || !address.includes("@")
    ? name
    : `${name} <${address}>`.trim();

function openMessage(file: CompoundFile, path: string) {
  const prefix = path === "" ? "" : `${path}/`;
  const stream = (property: string, type: string) =>
    file.stream(`${prefix}__substg1.0_${property}${type}`);
  const fixed = readFixed(file.stream(`${prefix}${PROPERTIES}`), path === "" ? 32 : 24);
  const codePage = CODE_PAGES.map((id) => fixed.get(id)?.readUInt32LE(0)).find(Boolean) ?? 1252;
  return {
    text(property: string): string {
      const wide = stream(property, "001F");
      if (wide !== undefined) return wide.toString("utf16le").replace(/\0+$/, "");
      return decodeCodePage(stream(property, "001E") ?? Buffer.of(), codePage).replace(/\0+$/, "");
    },
    bytes: (property: string) => stream(property, "0102"),
    /** Counted in tenths of a microsecond since 1601. */
    time(property: string): string | undefined {
      const since1601 = fixed.get(property)?.readBigUInt64LE(0);
      if (since1601 === undefined) return undefined;
      const date = new Date(Number(since1601 / 10_000n) - 11_644_473_600_000);
      return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
    },
  };
}

/** Numbers and times: rows of 16 bytes after a head, whose length depends on what the message is in. */
function readFixed(bytes: Buffer | undefined, head: number): ReadonlyMap<string, Buffer> {
  const values = new Map<string, Buffer>();
  for (let at = head; bytes !== undefined && at + 16 <= bytes.length; at += 16) {
    const id = bytes
      .readUInt16LE(at + 2)
      .toString(16)
      .toUpperCase()
      .padStart(4, "0");
    values.set(id, bytes.subarray(at + 8, at + 16));
  }
  return values;
}

function attachmentsOf(file: CompoundFile, path: string): readonly Attachment[] {
  return attachmentPaths(file, path).flatMap((each) => {
    const { text, bytes } = openMessage(file, each);
    const name =
      text(PROPERTY.name) || text(PROPERTY.shortName) || text(PROPERTY.displayName) || "attachment";
    const isMessage = file.storages(each).length > 0;
    return isMessage ? [] : [{ name, content: () => bytes(PROPERTY.data) ?? Buffer.of() }];
  });
}

/** Attached messages are storages of the same kind as the message itself. */
function innerMessages(file: CompoundFile, path: string): readonly string[] {
  return attachmentPaths(file, path).flatMap((each) =>
    file
      .storages(each)
      .filter((name) => name === `__substg1.0_${PROPERTY.data}000D`)
      .map((name) => `${each}/${name}`),
  );
}

function attachmentPaths(file: CompoundFile, path: string): readonly string[] {
  const prefix = path === "" ? "" : `${path}/`;
  return file
    .storages(path)
    .filter((name) => name.startsWith("__attach_version1.0_"))
    .map((name) => prefix + name);
}

// The compression of RTF inside Outlook's mails: bytes, and references to what was written up to 4 KB before.

const WINDOW = 4096;
const MAX_BYTES = 16 * 1024 * 1024;
const UNCOMPRESSED = 0x414c454d;
/** What every text starts with a reference to. */
const KNOWN =
  "{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx";

function decompressRtf(bytes: Buffer): Buffer {
  if (bytes.length < 16) throw damaged();
  if (bytes.readUInt32LE(8) === UNCOMPRESSED) return bytes.subarray(16);
  const window = openWindow(Math.min(bytes.readUInt32LE(4), MAX_BYTES));
  for (let at = 16; at < bytes.length; ) {
    const flags = bytes.readUInt8(at);
    at += 1;
    for (let bit = 1; bit < 256 && at < bytes.length; bit <<= 1) {
      const isReference = (flags & bit) !== 0;
      if (!isReference) window.put(bytes.readUInt8(at));
      else if (!window.repeat(bytes.readUInt16BE(at))) return window.written();
      at += isReference ? 2 : 1;
    }
  }
  return window.written();
}

function openWindow(sizeBytes: number) {
  const window = Buffer.alloc(WINDOW, " ");
  const written = Buffer.alloc(sizeBytes);
  const place = { read: window.write(KNOWN, "latin1"), written: 0 };
  const put = (byte: number) => {
    window[place.read] = byte;
    place.read = (place.read + 1) % WINDOW;
    written[place.written] = byte;
    place.written += 1;
  };
  return {
    put,
    /** False at the end, which is a reference to the present place. */
    repeat(reference: number): boolean {
      const from = reference >> 4;
      if (from === place.read || place.written >= sizeBytes) return false;
      for (let step = 0; step < (reference & 15) + 2; step += 1)
        put(window[(from + step) % WINDOW] ?? 0);
      return true;
    },
    written: () => written.subarray(0, place.written),
  };
}
