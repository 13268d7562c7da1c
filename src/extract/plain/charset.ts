// Bytes → text: by byte order mark, by declaration, by what decodes, by what looks like Japanese.

export interface Decoded {
  readonly text: string;
  readonly charset: string;
}

export function decodeText(bytes: Buffer, declared?: string): Decoded {
  const marked = byteOrderMark(bytes) ?? wideWithoutMark(bytes);
  if (marked !== undefined) return decode(bytes, marked);
  const utf8 = tryDecode(bytes, "utf-8", true);
  if (utf8 !== undefined)
    return hasEscapedJapanese(utf8)
      ? decode(bytes, "iso-2022-jp")
      : { text: utf8, charset: "utf-8" };
  const named = declared === undefined ? undefined : known(declared);
  if (named !== undefined && named !== "utf-8") return decode(bytes, named);
  if (mostlyUtf8(bytes)) return decode(bytes, "utf-8");
  return decode(bytes, japanese(bytes) ?? "windows-1252");
}

/** The charset that HTML or XML declares in its first bytes. */
export function declaredCharset(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 4096).toString("latin1");
  const found =
    /<\?xml[^>]{0,200}encoding\s*=\s*["']([\w.:-]+)/i.exec(head) ??
    /<meta[^>]{0,400}?charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head);
  return found?.[1];
}

function decode(bytes: Buffer, charset: string): Decoded {
  return { text: tryDecode(bytes, charset, false) ?? bytes.toString("latin1"), charset };
}

function tryDecode(bytes: Buffer, charset: string, fatal: boolean): string | undefined {
  try {
    return new TextDecoder(charset, { fatal }).decode(bytes);
  } catch {
    // The bytes are not in this charset, or this runtime lacks it.
    return undefined;
  }
}

function known(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    // A file can claim any charset.
    return undefined;
  }
}

function byteOrderMark(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return undefined;
}

/** UTF-16 with mostly Latin text has a zero in every other byte. */
function wideWithoutMark(bytes: Buffer): string | undefined {
  const sample = bytes.subarray(0, 2048);
  if (sample.length < 8) return undefined;
  let even = 0;
  let odd = 0;
  for (const [at, byte] of sample.entries()) {
    if (byte === 0 && at % 2 === 0) even += 1;
    else if (byte === 0) odd += 1;
  }
  const half = sample.length / 2;
  if (odd > half * 0.4 && even < half * 0.05) return "utf-16le";
  if (even > half * 0.4 && odd < half * 0.05) return "utf-16be";
  return undefined;
}

/** A few invalid bytes in UTF-8 become replacement characters; they do not mean another charset. */
function mostlyUtf8(bytes: Buffer): boolean {
  const text = tryDecode(bytes, "utf-8", false) ?? "";
  let broken = 0;
  let whole = 0;
  for (const character of text) {
    if (character === "\ufffd") broken += 1;
    else if (character > "\u007f") whole += 1;
  }
  return whole > broken * 2;
}

// Real Japanese is full of kana; Western text decoded as Shift_JIS or EUC-JP gives rare ideographs instead.
function japanese(bytes: Buffer): string | undefined {
  let best: string | undefined;
  let most = 0.15;
  for (const charset of ["shift_jis", "euc-jp"]) {
    const text = tryDecode(bytes.subarray(0, 200_000), charset, false) ?? "";
    const foreign = text.match(/[^\p{ASCII}]/gu)?.length ?? 0;
    const kana = text.match(/[\u3041-\u30fe、。]/g)?.length ?? 0;
    const broken = text.match(/[\ufffd\uff61-\uff9f]/g)?.length ?? 0;
    const share = foreign === 0 ? 0 : (kana - broken * 2) / foreign;
    if (share > most) [best, most] = [charset, share];
  }
  return best;
}

function hasEscapedJapanese(text: string): boolean {
  return text.includes("\u001b$B") || text.includes("\u001b$@");
}
