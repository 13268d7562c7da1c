// A program on a terminal of a given width, by way of `script`, which every Linux has.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";

export const HAS_SCRIPT = process.platform === "linux" && existsSync("/usr/bin/script");

export interface PtyOptions {
  readonly columns: number;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** In turn, once the output has the text: what is typed (`\x03` is Ctrl-C), or what happens elsewhere. */
  readonly typed?: readonly { readonly after: RegExp; readonly keys: string | (() => void) }[];
}

export interface Recording {
  readonly code: number;
  /** Everything that the terminal got, sequences and all. */
  readonly output: string;
}

export function record(command: readonly string[], options: PtyOptions): Promise<Recording> {
  const { columns, cwd, env, typed = [] } = options;
  const quoted = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
  const line = `stty cols ${columns} rows 40 -echoctl; exec ${quoted}`;
  const child = spawn("/usr/bin/script", ["-qefc", line, "/dev/null"], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", TERM: "xterm-256color", SHELL: "/bin/sh", ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const seen = { output: "", from: 0 };
  // A character may arrive in two pieces.
  child.stdout.setEncoding("utf8");
  const rest = [...typed];
  child.stdout.on("data", (part: string) => {
    seen.output += part;
    const [next] = rest;
    const found = next?.after.exec(seen.output.slice(seen.from));
    if (next === undefined || !found) return;
    rest.shift();
    seen.from += found.index + found[0].length;
    if (typeof next.keys === "string") child.stdin.write(next.keys);
    else next.keys();
  });
  child.stdin.on("error", () => {});
  const { promise, resolve, reject } = Promise.withResolvers<Recording>();
  child.on("error", reject);
  child.on("close", (code) => resolve({ code: code ?? -1, output: seen.output }));
  return promise;
}

/** Every segment between line breaks and carriage returns; none may be wider than the terminal. */
export function stretchesOf(output: string): readonly string[] {
  return output.split(/[\r\n]+/).map((part) => stripVTControlCharacters(part));
}
