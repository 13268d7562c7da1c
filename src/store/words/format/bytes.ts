// Numbers and texts as bytes. A number takes seven bits per byte; the high bit is set if more follow.

export class ByteWriter {
  readonly #encoder = new TextEncoder();
  #bytes = new Uint8Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** From 0 to 2⁵³. */
  number(value: number): void {
    this.#reserve(8);
    let rest = value;
    for (; rest > 127; rest = Math.floor(rest / 128)) {
      this.#bytes[this.#length++] = (rest % 128) + 128;
    }
    this.#bytes[this.#length++] = rest;
  }

  text(value: string): void {
    // A UTF-16 unit takes at most three bytes, and the length before them at most eight.
    this.#reserve(value.length * 3 + 8);
    const place = this.#length + 1;
    const { written } = this.#encoder.encodeInto(value, this.#bytes.subarray(place));
    if (written < 128) {
      this.#bytes[this.#length] = written;
      this.#length = place + written;
      return;
    }
    this.number(written);
    this.#encoder.encodeInto(value, this.#bytes.subarray(this.#length));
    this.#length += written;
  }

  /** All bytes so far; the writer starts again. */
  take(): Uint8Array {
    const taken = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return taken;
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + count));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}

export class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    // A view: a buffer decodes short texts fastest.
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  number(): number {
    let byte = this.#next();
    if (byte < 128) return byte;
    let value = byte - 128;
    let place = 128;
    for (byte = this.#next(); byte > 127; byte = this.#next()) {
      value += (byte - 128) * place;
      place *= 128;
    }
    return value + byte * place;
  }

  text(): string {
    const length = this.number();
    const from = this.#at;
    this.#at += length;
    return this.#bytes.toString("utf8", from, this.#at);
  }

  /** True if the next text is this one; it is skipped either way. */
  skipText(wanted: Uint8Array): boolean {
    const length = this.number();
    const from = this.#at;
    this.#at += length;
    if (length !== wanted.length) return false;
    for (let index = 0; index < length; index++) {
      if (this.#bytes[from + index] !== wanted[index]) return false;
    }
    return true;
  }

  #next(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw new RangeError("the bytes end too early");
    return byte;
  }
}
