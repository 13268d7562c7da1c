// A reader's process that behaves as the file's name says: hangs, crashes, floods memory, sends invalid replies, or
// replies.
import { spawn } from "node:child_process";
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { serialize } from "node:v8";
import { toFrame } from "../../../src/extract/sandbox/protocol.ts";

interface Job {
  readonly filename: string;
}

let answered = 0;

function write(bytes: Uint8Array): void {
  for (let sent = 0; sent < bytes.length; ) sent += writeSync(3, bytes, sent);
}

function send(value: unknown): void {
  write(toFrame(value));
}

/** What a compromised process might send instead of a reply. */
const ODD: Readonly<Record<string, () => void>> = {
  "odd noise": () => write(Buffer.from("this is no frame at all, whatever comes next")),
  "odd length": () => write(Buffer.from([0xff, 0xff, 0xff, 0xff, 1, 2, 3])),
  "odd bytes": () => write(Buffer.from([0, 0, 0, 3, 1, 2, 3])),
  "odd version": () => {
    const body = serialize({ kind: "alive" });
    body[1] = 99;
    write(Buffer.concat([Buffer.from([0, 0, 0, body.length]), body]));
  },
  "odd null": () => send(null),
  "odd text": () => send("done"),
  "odd kind": () => send({ kind: "surprise" }),
  "odd document": () => send({ kind: "done", document: { text: 7 } }),
  "odd view": () => send({ kind: "seen", view: { kind: "image", bytes: "no picture" } }),
  "odd product": () => send({ kind: "seen", view: { kind: "words", words: [] } }),
  "odd word": () => send({ kind: "seen", view: { kind: "words", words: [["a", 1, 2, 3]] } }),
  "odd code": () => send({ kind: "failed", code: "toString", message: "", details: {} }),
  "odd progress": () => send({ kind: "progress" }),
  "odd depth": () => send(nested(20_000)),
};

function nested(depth: number): unknown {
  let value: unknown = {};
  for (let at = 0; at < depth; at++) value = { value };
  return value;
}

function answer(): void {
  answered += 1;
  const text = `${process.pid}/${answered}/${Object.keys(process.env).length}`;
  send({
    kind: "done",
    document: {
      format: "txt",
      method: "text_extraction",
      text,
      blocks: [],
      pages: [],
      warnings: [],
    },
  });
}

/** Its pipe stays open for a while after it ended. */
function keepPipeOpen(then: () => void): void {
  const wait = "setTimeout(() => {}, 700)";
  spawn(process.execPath, ["-e", wait], { stdio: ["ignore", "ignore", "inherit"] }).once(
    "spawn",
    then,
  );
}

/** Finishes page after page, each of which takes a while of the processor, or reads picture after picture. */
function compute(ms: number, readsPictures: boolean): void {
  const spent = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  };
  const end = spent() + ms;
  for (let done = 1; spent() < end; done += 1) {
    const next = spent() + 20;
    while (spent() < next);
    if (readsPictures) send({ kind: "alive" });
    else send({ kind: "progress", progress: { done, total: 20_000, unit: "page" } });
  }
  answer();
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const { filename } = JSON.parse(line) as Job;
  // Without a tick of the CPU: others need it meanwhile.
  if (filename === "hang") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  if (filename === "crash") process.abort();
  if (filename === "flood") {
    // Not faster than whoever watches it is woken, and not more than a machine has.
    const held: Buffer[] = [];
    for (;;) {
      if (held.length < 100) held.push(Buffer.alloc(16 * 1024 * 1024, held.length));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 40);
    }
  }
  if (filename === "outlived") return keepPipeOpen(answer);
  if (filename === "outlived crash") return keepPipeOpen(() => process.abort());
  if (ODD[filename]) return ODD[filename]();
  const busy = /^busy (\d+) s(?: (reading pictures))?$/.exec(filename);
  if (busy) return compute(Number(busy[1]) * 1_000, busy[2] !== undefined);
  const slow = /^slow (\d+) s$/.exec(filename);
  if (slow) {
    const beat = setInterval(() => send({ kind: "alive" }), 50);
    setTimeout(() => {
      clearInterval(beat);
      answer();
    }, Number(slow[1]) * 1_000);
    return;
  }
  answer();
});
