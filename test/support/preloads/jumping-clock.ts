// Shifts the wall clock of this process by the number of milliseconds in the file CLOCK_FILE. Timers and
// performance.now() are not affected, as when the clock of a machine is set.
import { readFileSync } from "node:fs";

const path = process.env["CLOCK_FILE"] ?? "";
const Real = Date;
const READ_EVERY_MS = 5;
let readAt = Number.NEGATIVE_INFINITY;
let offset = 0;

const now = () => {
  if (performance.now() - readAt > READ_EVERY_MS) {
    readAt = performance.now();
    offset = Number(readFileSync(path, "utf8"));
  }
  return Real.now() + offset;
};

globalThis.Date = new Proxy(Real, {
  construct: (target, args) =>
    args.length === 0 ? new target(now()) : Reflect.construct(target, args),
  get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
});
