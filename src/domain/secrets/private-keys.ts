// Private keys in files, complete ones only: a manual's shortened or made-up block is not a key.

export const KEY_MARKS = ["-----BEGIN ", "PuTTY-User-Key-File-"] as const;

/** The longest key considered: RSA with 16,384 bits takes 13,000 characters. */
export const KEY_CHARACTERS = 16_384;

const HEADER = /^-----BEGIN ((?:[A-Z0-9]{1,12} ){0,2})PRIVATE KEY( BLOCK)?-----/;
const ARMOUR_LINE = /^\W{0,8}(?:Version|Comment|Hash|Charset|Proc-Type|DEK-Info|MessageID):.*$/gm;
const LEGACY_ENCRYPTION = /Proc-Type: 4,ENCRYPTED/;
const OPENSSH_MAGIC = "openssh-key-v1\0";
/** An encrypted key says nothing of its length; the smallest RSA key has this many base64 characters. */
const ENCRYPTED_CHARACTERS = 400;

/** The kind of private key that starts at a mark, or undefined. `text` is at least a key's length. */
export function keyAt(text: string): string | undefined {
  if (text.startsWith("PuTTY")) return isWholePutty(text) ? "a PuTTY private key" : undefined;
  const header = HEADER.exec(text);
  if (header === null) return undefined;
  const end = text.indexOf("-----", header[0].length);
  const body = text.slice(header[0].length, end < 0 ? KEY_CHARACTERS : end);
  return bodies(body).some((each) => isWholeKey(each, body, header[2] !== undefined))
    ? `a private key (${`${header[1] ?? ""}PRIVATE KEY`.toLowerCase()})`
    : undefined;
}

/** Its base64, as it is and without the first mark of each line (a quoted or changed line's). */
function bodies(body: string): readonly string[] {
  const lines = body
    .replaceAll(/\\{1,4}[nr]/g, "\n")
    .replaceAll(ARMOUR_LINE, "")
    .split("\n");
  const join = (parts: readonly string[]) => parts.join("").replaceAll(/[^A-Za-z0-9+/=]/g, "");
  return [join(lines), join(lines.map((line) => line.trimStart().slice(1)))];
}

function isWholeKey(base64: string, source: string, isPgp: boolean): boolean {
  if (isPgp) return isWholePgp(Buffer.from(base64, "base64"));
  const bytes = Buffer.from(base64, "base64");
  if (bytes.toString("latin1", 0, OPENSSH_MAGIC.length) === OPENSSH_MAGIC) {
    return isWholeOpenSsh(bytes);
  }
  if (LEGACY_ENCRYPTION.test(source)) {
    return base64.length >= ENCRYPTED_CHARACTERS && base64.length % 4 === 0;
  }
  return isWholeDer(bytes) && bytes.length > 40;
}

/** A sequence that is as long as it states. */
function isWholeDer(bytes: Buffer): boolean {
  const { start, length } = derHead(bytes);
  return bytes[0] === 0x30 && length > 0 && Math.abs(bytes.length - start - length) <= 2;
}

function derHead(bytes: Buffer): { readonly start: number; readonly length: number } {
  const first = bytes[1] ?? 0;
  if (first < 0x80) return { start: 2, length: first };
  const size = first & 0x7f;
  if (size === 0 || size > 3 || bytes.length < 2 + size) return { start: 2, length: 0 };
  return { start: 2 + size, length: bytes.readUIntBE(2, size) };
}

/** Cipher, derivation, its options, a count, the public key and the private part, each with its length before it. */
function isWholeOpenSsh(bytes: Buffer): boolean {
  let at = OPENSSH_MAGIC.length;
  for (const part of ["cipher", "kdf", "options", "count", "public", "private"]) {
    if (at + 4 > bytes.length) return false;
    at += part === "count" ? 4 : 4 + bytes.readUInt32BE(at);
  }
  return at <= bytes.length;
}

/** The first packet is a complete secret key. */
function isWholePgp(bytes: Buffer): boolean {
  const tag = bytes[0] ?? 0;
  if (tag === 0x95 && bytes.length > 3) return bytes.length >= 3 + bytes.readUInt16BE(1);
  if (tag === 0x94 && bytes.length > 2) return bytes.length >= 2 + (bytes[1] ?? 0);
  if (tag !== 0xc5 || bytes.length < 4) return false;
  const first = bytes[1] ?? 0;
  if (first < 192) return bytes.length >= 2 + first;
  return bytes.length >= 3 + ((first - 192) << 8) + (bytes[2] ?? 0) + 192;
}

function isWholePutty(text: string): boolean {
  const found = /Private-Lines: (\d{1,3})\r?\n/.exec(text.slice(0, KEY_CHARACTERS));
  if (found === null) return false;
  const lines = Number(found[1]);
  const body = text.slice(found.index + found[0].length).split("\n", lines);
  const whole = body.filter((line) => /^[A-Za-z0-9+/]{4,64}={0,2}\r?$/.test(line)).length;
  return lines > 0 && whole === lines;
}

/** Key stores and keys that are not text, by how the file begins and how long it is. */
export function binaryKey(head: Buffer, sizeBytes: number): string | undefined {
  const magic = head.toString("hex", 0, 4);
  if (magic === "feedfeed" || magic === "cececece") return "a Java key store";
  if (magic === "03d9a29a") return "a KeePass database";
  if (head.toString("latin1", 0, 4) === "\x30\x80\x02\x01" && head[4] === 3)
    return "a PKCS#12 file";
  const { start, length } = derHead(head);
  if (head[0] !== 0x30 || start + length !== sizeBytes) return undefined;
  const inner = head.toString("hex", start, start + 4);
  if (inner === "02010330") return "a PKCS#12 file";
  return inner === "02010030" || inner === "02010002" || inner === "02010104"
    ? "a private key (DER)"
    : undefined;
}
