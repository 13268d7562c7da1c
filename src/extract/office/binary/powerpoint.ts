// PPT, PowerPoint's format up to 2003: the slides in their order, with titles, text and speaker notes.
//
//   Current User ─▶ last edit ─▶ list of places ─▶ document ─▶ list of slides ─▶ each slide's record
//                      └▶ earlier edits, whose places hold where no later edit has one
import { damaged, encrypted } from "../../failures.ts";
import type { ReadContext, ReadOutcome } from "../../reader.ts";
import type { Writer } from "../../writer.ts";
import { openCompoundFile, summaryTitle } from "./compound-file.ts";

const RECORD = {
  slideAtom: 1007,
  notesAtom: 1009,
  slideOfList: 1011,
  showAtom: 1017,
  textByNumber: 3998,
  textKind: 3999,
  wideText: 4000,
  narrowText: 4008,
  list: 4080,
  edit: 4085,
  places: 6002,
} as const;
/** Kinds of text: a title, and one in the middle of the slide. */
const TITLES = new Set([0, 6]);
const LINE_BREAK = "\u000b";
const MAX_DEPTH = 40;
const MAX_EDITS = 10_000;

interface Atom {
  readonly type: number;
  readonly instance: number;
  readonly data: Buffer;
}

interface Text {
  readonly kind: number;
  readonly text: string;
}

export function readPpt({ bytes, out, progress }: ReadContext): ReadOutcome {
  const file = openCompoundFile(bytes);
  const stream = file.stream("PowerPoint Document");
  const user = file.stream("Current User");
  if (stream === undefined || user === undefined) throw damaged();
  if (file.stream("EncryptedSummary") !== undefined) throw encrypted();
  const { places, document } = readEdits(stream, user.readUInt32LE(16));
  const lists = childrenOf(recordAt(stream, places.get(document) ?? -1)).filter(
    ({ type }) => type === RECORD.list,
  );
  let bytesLeft = stream.length;
  const open = (id: number) => {
    const record = recordAt(stream, places.get(id) ?? -1);
    // Slides and notes do not share bytes; one that is listed again and again would be read as often.
    bytesLeft -= record.data.length;
    if (bytesLeft < 0) throw damaged();
    return record;
  };
  const notes = readNotes(lists, open);
  const slides = readList(lists.find(({ instance }) => instance === 0));
  for (const [at, { record, slide, texts }] of slides.entries()) {
    out.at({ slide: at + 1 });
    const atoms = [...atomsOf(open(record))];
    const [shown, spoken] = [slideTexts(atoms, texts), notes.get(slide) ?? []];
    if (isHidden(atoms))
      out.hide("hidden", [...shown, ...spoken].map(({ text }) => text).join("\n"));
    else {
      writeTexts(out, shown);
      for (const { text } of spoken) out.note("Speaker notes", text);
    }
    out.report("text");
    progress({ done: at + 1, total: slides.length, unit: "slide" });
  }
  return { method: "text_extraction", title: summaryTitle(file) };
}

/** Where each numbered record is now. */
function readEdits(stream: Buffer, last: number) {
  const places = new Map<number, number>();
  let document = 0;
  let at = last;
  for (let edits = 0; at > 0 && edits < MAX_EDITS; edits += 1) {
    const { type, data } = recordAt(stream, at);
    if (type !== RECORD.edit) throw damaged();
    if (document === 0) document = data.readUInt32LE(16);
    for (const [id, place] of readPlaces(recordAt(stream, data.readUInt32LE(12)).data)) {
      if (!places.has(id)) places.set(id, place);
    }
    const earlier = data.readUInt32LE(8);
    if (earlier >= at) break;
    at = earlier;
  }
  return { places, document };
}

/** Runs of numbers that follow each other: the first and how many, then their places. */
function* readPlaces(data: Buffer): Generator<readonly [number, number]> {
  for (let at = 0; at + 4 <= data.length; ) {
    const run = data.readUInt32LE(at);
    const count = run >>> 20;
    for (let index = 0; index < count && at + 8 + index * 4 <= data.length; index += 1) {
      yield [(run & 0xfffff) + index, data.readUInt32LE(at + 4 + index * 4)];
    }
    at += 4 + count * 4;
  }
}

function recordAt(stream: Buffer, at: number): Atom {
  if (at < 0 || at + 8 > stream.length) throw damaged();
  const length = stream.readUInt32LE(at + 4);
  return {
    type: stream.readUInt16LE(at + 2),
    instance: stream.readUInt16LE(at) >> 4,
    data: stream.subarray(at + 8, at + 8 + length),
  };
}

function childrenOf({ data }: Atom): readonly Atom[] {
  const children: Atom[] = [];
  for (let at = 0; at + 8 <= data.length; ) {
    const child = recordAt(data, at);
    children.push(child);
    at += 8 + data.readUInt32LE(at + 4);
  }
  return children;
}

/** Records that contain others have all four lowest bits of their first number set; the caller knows by type. */
function* atomsOf(record: Atom, depth = 0): Generator<Atom> {
  if (depth > MAX_DEPTH) return;
  for (let at = 0; at + 8 <= record.data.length; ) {
    const child = recordAt(record.data, at);
    if ((record.data.readUInt16LE(at) & 0xf) === 0xf) yield* atomsOf(child, depth + 1);
    else yield child;
    at += 8 + record.data.readUInt32LE(at + 4);
  }
}

interface ListedSlide {
  readonly record: number;
  readonly slide: number;
  readonly texts: readonly Text[];
}

/** Slides in their order; texts of their outline are here, others in the slide itself. */
function readList(list: Atom | undefined): readonly ListedSlide[] {
  const slides: (Omit<ListedSlide, "texts"> & { atoms: Atom[] })[] = [];
  for (const atom of list === undefined ? [] : childrenOf(list)) {
    if (atom.type === RECORD.slideOfList) {
      const { data } = atom;
      slides.push({ record: data.readUInt32LE(0), slide: data.readUInt32LE(12), atoms: [] });
    } else slides.at(-1)?.atoms.push(atom);
  }
  return slides.map(({ atoms, ...slide }) => ({ ...slide, texts: textsOf(atoms, []) }));
}

/** A show leaves it out. */
function isHidden(slide: readonly Atom[]): boolean {
  const flags = slide.find(({ type }) => type === RECORD.showAtom)?.data;
  return flags !== undefined && flags.length >= 12 && (flags.readUInt16LE(10) & 4) !== 0;
}

function slideTexts(slide: readonly Atom[], outline: readonly Text[]): readonly Text[] {
  const own = textsOf(slide, outline);
  const missing = outline.filter((text) => !own.includes(text));
  return [...missing, ...own];
}

function textsOf(atoms: readonly Atom[], outline: readonly Text[]): readonly Text[] {
  const texts: Text[] = [];
  let kind = 4;
  for (const { type, data } of atoms) {
    if (type === RECORD.textKind) kind = data.readUInt32LE(0);
    else if (type === RECORD.wideText) texts.push({ kind, text: data.toString("utf16le") });
    else if (type === RECORD.narrowText) texts.push({ kind, text: data.toString("latin1") });
    else if (type === RECORD.textByNumber) {
      const listed = outline[data.readUInt32LE(0)];
      if (listed !== undefined) texts.push(listed);
    }
  }
  return texts;
}

function readNotes(
  lists: readonly Atom[],
  open: (id: number) => Atom,
): ReadonlyMap<number, readonly Text[]> {
  const notes = new Map<number, readonly Text[]>();
  for (const { record } of readList(lists.find(({ instance }) => instance === 2))) {
    const atoms = [...atomsOf(open(record))];
    const slide = atoms.find(({ type }) => type === RECORD.notesAtom)?.data.readUInt32LE(0);
    // A lone "*" is the place of the page number.
    const texts = textsOf(atoms, []).filter(({ text }) => text.trim().length > 1);
    if (slide !== undefined) notes.set(slide, texts);
  }
  return notes;
}

function writeTexts(out: Writer, texts: readonly Text[]): void {
  const title = texts.find(({ kind }) => TITLES.has(kind));
  if (title !== undefined)
    out.heading(2, title.text.replaceAll("\r", " ").replaceAll(LINE_BREAK, " "));
  for (const each of texts) {
    if (each === title || each.text.trim() === "*") continue;
    out.list(
      each.text.split("\r").map((line) => ({ text: line.replaceAll(LINE_BREAK, " "), depth: 0 })),
    );
  }
}
