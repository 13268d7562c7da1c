import { expect, test } from "vitest";
import { readHere } from "../../../test/support/read-here.ts";

/** Long enough for a heading: parts with fewer than three lines get none. */
const BODY = "\n  one;\n  two;\n  three;\n";

async function headingsOf(filename: string, source: string): Promise<readonly string[]> {
  const { text, blocks } = await readHere(filename, source.replaceAll("…", BODY));
  return blocks
    .filter(({ kind }) => kind === "heading")
    .map(({ start, end }) => text.slice(start, end).replace(/^#+ /, ""));
}

const SOURCES: readonly (readonly [filename: string, source: string, headings: string[]])[] = [
  [
    "a.ts",
    "import {\n  type Store,\n} from './store';\nexport type Row = {…};\nclass Base {…\n  async open(at = 1) {…}\n}\ntest('it opens', () => {…});\n  call(\n    a,\n  );\n",
    ["type Row", "class Base", "open"],
  ],
  [
    "a.py",
    'def open():\n  """\n  Opens the class named here.\n  """\n…\nclass Store(Base):\n  def __init__(self):\n…',
    ["def open", "class Store"],
  ],
  [
    "a.go",
    "func (s *Store) Open() error {…}\ntype Row struct {…}",
    ["func (s *Store) Open", "type Row"],
  ],
  [
    "a.rs",
    "impl<'a> Iterator for Chain<'a> {…}\npub fn open<T>() {…}\npub struct Store {…}",
    ["impl Iterator for Chain", "fn open<T>", "struct Store"],
  ],
  [
    "a.java",
    "/*\n  Licensed to the Foundation (of software)\n */\npublic final class Store {\n…\n  @Override\n  public void open(String name) throws IOException {…}\n}",
    ["class Store", "open"],
  ],
  [
    "a.cs",
    "namespace Shop\n{\n…\n    [return: MarshalAs(UnmanagedType.BStr)]\n    string Name();\n    public object Open(\n        int at)\n    {…}\n}",
    ["namespace Shop"],
  ],
  [
    "a.c",
    'static int\nopen_store(char *name)\n{\n…\n    PyErr_Format(error,\n        "no");\n}\nPyDoc_STRVAR(doc,\n  "x");\n#define STR(x) #x\nint close_store(void) {…}',
    ["open_store", "close_store"],
  ],
  [
    "a.cpp",
    "class Store {\npublic:\n…\n  ~Store() {…}\n  int size() const\n  {…}\n};\nStore::Store() {…}\nTEST_F(StoreTest, opens) {…}",
    ["class Store", "~Store", "size", "Store::Store", "TEST_F"],
  ],
  [
    "a.rb",
    "module Shop\n…\n  def open?(name)\n…\n  end\n  def <=>(other)\n…\n  end\nend",
    ["module Shop", "def open?", "def <=>"],
  ],
  [
    "a.php",
    "final class Store {…\n  public function open() {…}\n}",
    ["class Store", "function open"],
  ],
  ["a.sh", "open_store() {…}\nfunction close_store {…}", ["open_store", "function close_store"]],
  [
    "a.sql",
    "CREATE TABLE IF NOT EXISTS rows (…);\ncreate view all_rows as…;",
    ["CREATE TABLE IF NOT EXISTS rows", "create view all_rows"],
  ],
];

test.each(SOURCES)(
  "functions and classes of %s are headings",
  async (filename, source, headings) => {
    expect(await headingsOf(filename, source)).toEqual(headings);
  },
);
