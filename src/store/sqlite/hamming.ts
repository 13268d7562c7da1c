// Distances between a query's bits and many rows of bits, by a WebAssembly SIMD kernel that is assembled
// here, unrolled for the row's width. In JavaScript the same scan takes about three times as long.
//
//   scan(row, end, out):  query words stand at address 0, rows follow each other from `row` to `end`
//     q0…qn = load 16 bytes each
//     while row < end: store16(out, popcount((row ^ q)…)); row += width; out += 2

export interface BitScan {
  readonly memory: WasmMemory;
  /** Byte addresses in `memory`; one u16 is written to `out` for each row of `width` bytes. */
  scan(row: number, end: number, out: number): void;
}

interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** The little of WebAssembly that is used here: TypeScript has its types for browsers only. */
interface Wasm {
  readonly Memory: new (size: { initial: number }) => WasmMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: { m: { m: WasmMemory } },
  ) => { readonly exports: { readonly scan: BitScan["scan"] } };
}

const WORD_BYTES = 16;
/** A byte lane holds at most 8 per word, so 31 words fit before it must be widened. */
const WORDS_PER_SUM = 31;

/** Bytes that a row of bits takes: whole SIMD words. */
export function rowWidth(dimensions: number): number {
  return Math.ceil(dimensions / 128) * WORD_BYTES;
}

export function openBitScan(width: number): BitScan {
  const { Memory, Module, Instance } = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly;
  const memory = new Memory({ initial: 1 });
  const module = new Module(assembleScan(width / WORD_BYTES));
  return { memory, scan: new Instance(module, { m: { m: memory } }).exports.scan };
}

const I32 = 0x7f;
const V128 = 0x7b;
const EMPTY = 0x40;
const [ROW, END, OUT] = [0, 1, 2] as const;

const get = (local: number) => [0x20, ...leb(local)];
const set = (local: number) => [0x21, ...leb(local)];
const tee = (local: number) => [0x22, ...leb(local)];
const i32Const = (value: number) => [0x41, ...signedLeb(value)];
const I32_ADD = [0x6a];
const I32_GE_U = [0x4f];
const simd = (opcode: number) => [0xfd, ...leb(opcode)];
const load = (offset: number) => [...simd(0), 0, ...leb(offset)];
const XOR = simd(81);
const POPCOUNT_BYTES = simd(98);
const ADD_BYTES = simd(110);
const WIDEN_BYTES = simd(125);
const WIDEN_SHORTS = simd(127);
const ADD_SHORTS = simd(142);
const lane = (index: number) => [...simd(27), index];
const STORE_SHORT = [0x3b, 1, 0];

function assembleScan(words: number): Uint8Array {
  const sum = 3 + words;
  const loadQuery = range(words).flatMap((word) => [
    ...i32Const(0),
    ...load(word * WORD_BYTES),
    ...set(3 + word),
  ]);
  const step = (local: number, by: number) => [
    ...get(local),
    ...i32Const(by),
    ...I32_ADD,
    ...set(local),
  ];
  const code = [
    ...[1, ...leb(words + 1), V128],
    ...loadQuery,
    ...[0x02, EMPTY, 0x03, EMPTY],
    ...[...get(ROW), ...get(END), ...I32_GE_U, 0x0d, 1],
    ...[...get(OUT), ...distance(words), ...tee(sum)],
    ...lane(0),
    ...range(3).flatMap((index) => [...get(sum), ...lane(index + 1), ...I32_ADD]),
    ...STORE_SHORT,
    ...step(ROW, words * WORD_BYTES),
    ...step(OUT, 2),
    ...[0x0c, 0, 0x0b, 0x0b, 0x0b],
  ];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 3, I32, I32, I32, 0]),
    ...section(2, [1, ...name("m"), ...name("m"), 2, 0, 1]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...name("scan"), 0, 0]),
    ...section(10, [1, ...leb(code.length), ...code]),
  ]);
}

/** Leaves four partial sums (i32x4) of the differing bits on the stack. */
function distance(words: number): number[] {
  const groups = range(Math.ceil(words / WORDS_PER_SUM)).map((group) => {
    const members = range(words).slice(group * WORDS_PER_SUM, (group + 1) * WORDS_PER_SUM);
    const differing = members.flatMap((word, index) => [
      ...[...get(ROW), ...load(word * WORD_BYTES), ...get(3 + word), ...XOR, ...POPCOUNT_BYTES],
      ...(index === 0 ? [] : ADD_BYTES),
    ]);
    return [...differing, ...WIDEN_BYTES, ...(group === 0 ? [] : ADD_SHORTS)];
  });
  return [...groups.flat(), ...WIDEN_SHORTS];
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...leb(content.length), ...content];
}

function name(text: string): number[] {
  return [text.length, ...Buffer.from(text)];
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function leb(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...leb(value >>> 7)];
}

function signedLeb(value: number): number[] {
  return value < 64 ? [value] : [(value & 127) | 128, ...signedLeb(value >>> 7)];
}
