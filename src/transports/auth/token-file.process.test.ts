// Tokens are revoked by editing a file. Whatever an edit leaves in its place, a token that is no longer listed there is
// refused, the problem is reported without its text, and the list is in force again once the file is.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { silentLog } from "../../../test/support/silent-log.ts";
import { tempFolder } from "../../../test/support/temp-folder.ts";
import { openTokens } from "./tokens.ts";

const [OLD, OTHER] = ["the-old-token", "the-other-token"];
const entryOf = (token: string) => ({
  name: `owner of ${token.length}`,
  sha256: createHash("sha256").update(token).digest("hex"),
  rights: ["read"],
});
const listOf = (...entries: readonly unknown[]) => JSON.stringify({ tokens: entries });
const LIST = listOf(entryOf(OLD), entryOf(OTHER));
const isRoot = process.getuid?.() === 0;

let folder: string;
let file: string;

beforeEach(() => {
  folder = tempFolder("token-file");
  file = join(folder, "tokens.json");
  writeFileSync(file, LIST);
  vi.useFakeTimers({ toFake: ["performance", "Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const write = (text: string) => () => writeFileSync(file, text);
const replace = (put: () => void) => () => {
  rmSync(file);
  put();
};

/** What an edit can leave that has no usable list. */
const LOST: Readonly<Record<string, () => void>> = {
  "is removed": () => rmSync(file),
  "is in a folder that is removed": () => rmSync(folder, { recursive: true }),
  "is empty": write(""),
  "is blank": write(" \n\n"),
  "is a comment": write("# nobody\n"),
  "is null": write("null"),
  "is a list": write(`[${JSON.stringify(entryOf(OLD))}]`),
  "is a text": write(OLD),
  "lists nothing": write("tokens:\n"),
  "lists no tokens": write("tokens: []"),
  "lists them under another name": write(LIST.replace("tokens", "token")),
  "has another member": write(LIST.replace("{", '{"more":1,')),
  "is cut off": write(LIST.slice(0, -5)),
  "is not YAML": write(`${LIST}]`),
  "has a member twice": write(`tokens: []\ntokens: ${JSON.stringify([entryOf(OLD)])}`),
  "has bytes that are no text": () => writeFileSync(file, Buffer.alloc(2_000, 0xff)),
  "is nested deeply": write("[".repeat(50_000)),
  "grows to a gigabyte": () => truncateSync(file, 2 ** 30),
  "is a folder": replace(() => mkdirSync(file)),
  "is a FIFO": replace(() => void execFileSync("mkfifo", [file])),
  "is an endless device": replace(() => symlinkSync("/dev/zero", file)),
  "is a terminal": replace(() => symlinkSync("/dev/ptmx", file)),
  "is a link to nothing": replace(() => symlinkSync(join(folder, "nothing"), file)),
  "is a link to itself": replace(() => symlinkSync(file, file)),
  "is below a file": () => {
    rmSync(folder, { recursive: true });
    writeFileSync(folder, "");
  },
};

/** Root may read everything. */
const UNREADABLE = isRoot ? {} : { "may not be read": () => chmodSync(file, 0) };

const later = () => vi.advanceTimersByTime(1_100);

function restore() {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  writeFileSync(file, LIST);
}

test.each(Object.entries({ ...LOST, ...UNREADABLE }))(
  "if the file %s, nobody is let in until it is back",
  (_what, edit) => {
    const { identify, issue } = openTokens({ tokenFile: file, log: silentLog() });
    expect([identify(OLD)?.rights, issue()]).toEqual([new Set(["read"]), undefined]);
    edit();
    later();
    expect([identify(OLD), identify(OTHER)]).toEqual([undefined, undefined]);
    expect(issue()?.code).toMatch(/^tokens(Missing|Unusable)$/);
    expect(issue()?.values).toEqual([]);
    restore();
    later();
    expect([identify(OLD)?.rights, issue()]).toEqual([new Set(["read"]), undefined]);
  },
);

test.each(Object.keys(LOST))("a server does not start if the file %s", (what) => {
  LOST[what]?.();
  expect(() => openTokens({ tokenFile: file, log: silentLog() })).toThrow(/token file cannot be/);
});

/** One entry with a mistake in it. */
const MISTAKES: Readonly<Record<string, unknown>> = {
  "is no object": OLD,
  "is null": null,
  "has no name": { ...entryOf(OLD), name: undefined },
  "has an empty name": { ...entryOf(OLD), name: "" },
  "has a name that is a number": { ...entryOf(OLD), name: 7 },
  "has no digest": { ...entryOf(OLD), sha256: undefined },
  "has the token for a digest": { ...entryOf(OLD), sha256: OLD },
  "has a digest in capitals": { ...entryOf(OLD), sha256: entryOf(OLD).sha256.toUpperCase() },
  "has a digest with a letter too many": { ...entryOf(OLD), sha256: `${entryOf(OLD).sha256}0` },
  "has no rights": { ...entryOf(OLD), rights: [] },
  "has an unknown right": { ...entryOf(OLD), rights: ["read", "everything"] },
  "has a right instead of a list": { ...entryOf(OLD), rights: "read" },
  "has a date that does not exist": { ...entryOf(OLD), until: "2027-02-30T00:00:00Z" },
  "has a date in words": { ...entryOf(OLD), until: "tomorrow" },
  "has an unknown member": { ...entryOf(OLD), [OLD]: true },
};

test.each(Object.entries(MISTAKES))(
  "an entry that %s is refused, the others count, and it is reported",
  (_what, entry) => {
    const lines: string[] = [];
    const log = { ...silentLog(), error: (...line: unknown[]) => lines.push(JSON.stringify(line)) };
    const { identify, issue } = openTokens({ tokenFile: file, log });
    writeFileSync(file, listOf(entry, entryOf(OTHER)));
    later();
    expect(identify(OLD)).toBeUndefined();
    expect(identify(OTHER)?.rights).toEqual(new Set(["read"]));
    expect(issue()).toEqual({ code: "tokensPartly", values: ["1", "2"] });
    later();
    expect(identify(OTHER)?.rights).toEqual(new Set(["read"]));
    expect(lines).toHaveLength(1);
    expect(lines.join()).not.toContain(OLD);
  },
);
