// A reader's process that does what the file's name says: hangs, crashes, floods memory, or answers.
import { spawn } from "node:child_process";

interface Job {
  readonly filename: string;
}

let answered = 0;

function answer(): void {
  answered += 1;
  const text = `${process.pid}/${answered}/${Object.keys(process.env).length}`;
  process.send?.({
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

/** Its pipe stays open for a while after it is gone. */
function keepPipeOpen(then: () => void): void {
  const wait = "setTimeout(() => {}, 700)";
  spawn(process.execPath, ["-e", wait], { stdio: ["ignore", "ignore", "inherit"] }).once(
    "spawn",
    then,
  );
}

process.on("message", ({ filename }: Job) => {
  if (filename === "hang") for (;;);
  if (filename === "crash") process.abort();
  if (filename === "flood") {
    const held: Buffer[] = [];
    for (;;) held.push(Buffer.alloc(16 * 1024 * 1024, held.length));
  }
  if (filename === "outlived") return keepPipeOpen(answer);
  if (filename === "outlived crash") return keepPipeOpen(() => process.abort());
  const slow = /^slow (\d+) s$/.exec(filename);
  if (slow) {
    const beat = setInterval(() => process.send?.({ kind: "alive" }), 50);
    setTimeout(() => {
      clearInterval(beat);
      answer();
    }, Number(slow[1]) * 1_000);
    return;
  }
  answer();
});
