// Kills its own process at its KILL_AT_WRITEth message over a socket, before the message leaves; else says on stdout how many there were.
import { writeSync } from "node:fs";
import { Socket } from "node:net";

const at = Number(process.env["KILL_AT_WRITE"] ?? 0);
const { write } = Socket.prototype;
const seen = { writes: 0 };

Socket.prototype.write = function counted(this: Socket, ...args: Parameters<typeof write>) {
  seen.writes++;
  if (seen.writes === at) process.kill(process.pid, "SIGKILL");
  return write.apply(this, args);
} as typeof write;

process.on("exit", () => writeSync(1, String(seen.writes)));
