// The inner loops of vector search: WebAssembly SIMD modules that are assembled here for one vector length.
// The same loops in JavaScript take about ten times as long.
//
//   scan(row, end, out)   u16 at `out` for each row of bits: popcount(row ^ query bits)
//   dot(codes) → i32      Σ code × query number, codes as signed bytes, the query as signed 16-bit numbers

/** The first page of its memory has the query's bits. */
export interface BitKernel {
  readonly memory: WasmMemory;
  scan(row: number, end: number, out: number): void;
}

/** The first page of its memory has the query's numbers. */
export interface CodeKernel {
  readonly memory: WasmMemory;
  dot(codes: number): number;
}

interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** The part of WebAssembly used here; TypeScript has these types only for browsers. */
interface Wasm {
  readonly Memory: new (size: { initial: number }) => WasmMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: { m: { m: WasmMemory } },
  ) => { readonly exports: object };
}

export const PAGE_BYTES = 65_536;
/** In the first page. */
export const QUERY_AT = 0;

const WORD_BYTES = 16;
/** A byte lane grows by at most 8 per word, so 31 words fit before it must be widened. */
const WORDS_PER_SUM = 31;

/** Size of a row of bits in bytes, rounded up to whole SIMD words. */
export function bitBytes(dimensions: number): number {
  return Math.ceil(dimensions / 128) * WORD_BYTES;
}

/** Size of a row of codes in bytes, rounded up to whole SIMD words and padded with zeros. */
export function codeBytes(dimensions: number): number {
  return Math.ceil(dimensions / WORD_BYTES) * WORD_BYTES;
}

export function openBitKernel(dimensions: number): BitKernel {
  const body = scanBody(bitBytes(dimensions) / WORD_BYTES);
  return open({ exported: "scan", type: [3, I32, I32, I32, 0], body }) as BitKernel;
}

export function openCodeKernel(dimensions: number): CodeKernel {
  const body = dotBody(codeBytes(dimensions));
  return open({ exported: "dot", type: [1, I32, 1, I32], body }) as CodeKernel;
}

interface WasmFunction {
  readonly exported: string;
  /** Its parameters and results, each after their number. */
  readonly type: readonly number[];
  readonly body: readonly number[];
}

function open(only: WasmFunction): object {
  const { Memory, Module, Instance } = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly;
  const memory = new Memory({ initial: 1 });
  return { memory, ...new Instance(new Module(assemble(only)), { m: { m: memory } }).exports };
}

function assemble({ exported, type, body }: WasmFunction): Uint8Array {
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, ...type]),
    ...section(2, [1, ...name("m"), ...name("m"), 2, 0, 1]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...name(exported), 0, 0]),
    ...section(10, [1, ...leb(body.length), ...body]),
  ]);
}

const I32 = 0x7f;
const V128 = 0x7b;
const BLOCK = [0x02, 0x40];
const LOOP = [0x03, 0x40];
const END = [0x0b];
const branch = (depth: number) => [0x0c, depth];
const branchIf = (depth: number) => [0x0d, depth];
const get = (local: number) => [0x20, ...leb(local)];
const set = (local: number) => [0x21, ...leb(local)];
const tee = (local: number) => [0x22, ...leb(local)];
const i32 = (value: number) => [0x41, ...signedLeb(value)];
const I32_ADD = [0x6a];
const I32_LESS = [0x49];
const I32_NOT_LESS = [0x4f];
const store16 = (offset: number) => [0x3b, 0, ...leb(offset)];
const simd = (opcode: number) => [0xfd, ...leb(opcode)];
const load = (offset: number) => [...simd(0), 0, ...leb(offset)];
const lane = (index: number) => [...simd(27), index];
const XOR = simd(81);
const POPCOUNT_BYTES = simd(98);
const ADD_BYTES = simd(110);
const WIDEN_BYTES = simd(125);
const WIDEN_SHORTS = simd(127);
const LOW_TO_SHORTS = simd(135);
const HIGH_TO_SHORTS = simd(136);
const ADD_SHORTS = simd(142);
const ADD_WORDS = simd(174);
const DOT_SHORTS = simd(186);

const step = (local: number, by: number) => [...get(local), ...i32(by), ...I32_ADD, ...set(local)];

/** Adds up the four numbers of a vector that is on the stack. */
const sumLanes = (local: number) => [
  ...[...tee(local), ...lane(0)],
  ...[1, 2, 3].flatMap((index) => [...get(local), ...lane(index), ...I32_ADD]),
];

function scanBody(words: number): number[] {
  const [row, end, out, query] = [0, 1, 2, 3];
  const sum = query + words;
  const loadQuery = range(words).flatMap((word) => [
    ...[...i32(QUERY_AT), ...load(word * WORD_BYTES), ...set(query + word)],
  ]);
  const differing = range(Math.ceil(words / WORDS_PER_SUM)).flatMap((group) => {
    const members = range(words).slice(group * WORDS_PER_SUM, (group + 1) * WORDS_PER_SUM);
    const counts = members.flatMap((word, at) => [
      ...[...get(row), ...load(word * WORD_BYTES), ...get(query + word), ...XOR, ...POPCOUNT_BYTES],
      ...(at === 0 ? [] : ADD_BYTES),
    ]);
    return [...counts, ...WIDEN_BYTES, ...(group === 0 ? [] : ADD_SHORTS)];
  });
  return [
    ...[1, ...leb(words + 1), V128, ...loadQuery],
    ...[...BLOCK, ...LOOP, ...get(row), ...get(end), ...I32_NOT_LESS, ...branchIf(1)],
    ...[...get(out), ...differing, ...WIDEN_SHORTS, ...sumLanes(sum), ...store16(0)],
    ...[...step(row, words * WORD_BYTES), ...step(out, 2), ...branch(0), ...END, ...END, ...END],
  ];
}

function dotBody(width: number): number[] {
  const [codes, end, query, sum] = [0, 1, 2, 3];
  const half = (toShorts: number[], offset: number) => [
    ...[...get(codes), ...load(0), ...toShorts],
    ...[...get(query), ...load(offset), ...DOT_SHORTS, ...ADD_WORDS],
  ];
  return [
    ...[2, 2, I32, 1, V128, ...get(codes), ...i32(width), ...I32_ADD, ...set(end)],
    ...[...i32(QUERY_AT), ...set(query)],
    ...[...LOOP, ...get(sum), ...half(LOW_TO_SHORTS, 0), ...half(HIGH_TO_SHORTS, WORD_BYTES)],
    ...[...set(sum), ...step(codes, WORD_BYTES), ...step(query, 2 * WORD_BYTES)],
    ...[...get(codes), ...get(end), ...I32_LESS, ...branchIf(0), ...END],
    ...[...get(sum), ...sumLanes(sum), ...END],
  ];
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
