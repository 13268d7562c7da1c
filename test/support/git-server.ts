// Real repositories, and a real `git http-backend` behind an HTTP server on this machine.
import { execFile, spawn } from "node:child_process";
import { promisify } from "node:util";
import { openStub } from "./stub.ts";

const run = promisify(execFile);

/** Runs git as a person would, in the repository. */
export async function gitIn(folder: string, ...args: readonly string[]): Promise<string> {
  const who = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
  const allow = ["-c", "protocol.file.allow=always"];
  return (await run("git", [...who, ...allow, ...args], { cwd: folder })).stdout.trim();
}

export async function gitServer(root: string) {
  const asked: string[] = [];
  const { port, close } = await openStub((request, response) => {
    const url = new URL(request.url ?? "", "http://x");
    asked.push(`${request.method} ${url.pathname}`);
    const child = spawn("git", ["http-backend"], {
      env: {
        ...{ PATH: process.env["PATH"], GIT_PROJECT_ROOT: root, GIT_HTTP_EXPORT_ALL: "1" },
        ...{ PATH_INFO: url.pathname, QUERY_STRING: url.search.slice(1) },
        ...{ REQUEST_METHOD: request.method, CONTENT_TYPE: request.headers["content-type"] },
        HTTP_CONTENT_ENCODING: request.headers["content-encoding"],
        GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
      },
    });
    request.pipe(child.stdin);
    child.stdin.on("error", () => {});
    const parts: Buffer[] = [];
    child.stdout.on("data", (part: Buffer) => parts.push(part));
    child.on("close", () => {
      const all = Buffer.concat(parts);
      const end = all.indexOf("\r\n\r\n");
      const lines = all.subarray(0, end).toString().split("\r\n");
      const headers = lines.map((line) => line.split(": ") as [string, string]);
      const status = Number(headers.find(([name]) => name === "Status")?.[1]?.slice(0, 3) ?? 200);
      response.writeHead(status, Object.fromEntries(headers.filter(([name]) => name !== "Status")));
      response.end(all.subarray(end + 4));
    });
  });
  return { host: `127.0.0.1:${port}`, asked, close };
}
