// Checks the text of the Dockerfile, because it cannot be built here.
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { placeNatives, readPlatforms } from "../../scripts/natives.ts";
import { packedFiles } from "../support/packed.ts";
import { PACKAGE } from "../support/shipped.ts";
import { tempFolder } from "../support/temp-folder.ts";

const packed = await packedFiles();

/** Its instructions by stage, continued lines joined. */
const stages = readFileSync(join(PACKAGE, "Dockerfile"), "utf8")
  .replace(/\\\n\s*/g, "")
  .split(/^(?=FROM )/m)
  .map((stage) => stage.split("\n").filter((line) => /^[A-Z]+ /.test(line)))
  .filter((stage) => stage[0]?.startsWith("FROM "));
const last = stages.at(-1) ?? [];
const argument = (instruction: string) =>
  last.find((line) => line.startsWith(`${instruction} `))?.slice(instruction.length + 1) ?? "";

test("the container is built in one stage and runs in another, not as root, with a health check", () => {
  expect(stages).toHaveLength(2);
  expect(argument("FROM")).toMatch(/:nonroot$/);
  expect(argument("USER")).toBe("nonroot");
  expect(argument("HEALTHCHECK")).toContain("/healthz");
  expect(last.filter((line) => line.startsWith("RUN "))).toEqual([]);
});

test("the files it copies and starts exist, and it listens on the configured address", () => {
  const [, ...copied] =
    stages[0]?.find((line) => line.startsWith("COPY package"))?.split(" ") ?? [];
  for (const path of copied.slice(0, -1)) expect(existsSync(join(PACKAGE, path)), path).toBe(true);
  const scripts = stages
    .flat()
    .join("\n")
    .matchAll(/node (scripts\/[\w-]+\.ts)/g);
  for (const [, path = ""] of scripts) expect(existsSync(join(PACKAGE, path)), path).toBe(true);
  const [, started = ""] = JSON.parse(argument("ENTRYPOINT")) as string[];
  expect(packed).toContain(started.replace("/app/", ""));
  expect(JSON.parse(argument("CMD"))).toEqual(
    expect.arrayContaining(["--port", argument("EXPOSE")]),
  );
  expect(argument("HEALTHCHECK")).toContain(`:${argument("EXPOSE")}/`);
});

// gcr.io/distroless/nodejs24-debian12, as its layers are listed: Debian's libraries and Node.
const BASE_MB = 145;

test("base and program together stay below 300 MB", async () => {
  const folder = tempFolder("container");
  const platform = (await readPlatforms(PACKAGE))["linux-x64"];
  if (platform === undefined) throw new Error("no platform");
  await placeNatives(PACKAGE, platform, folder);
  const paths = packed.map((path) =>
    path.startsWith("native/") ? join(folder, path.slice("native/".length)) : join(PACKAGE, path),
  );
  const bytes = paths.reduce((sum, path) => sum + statSync(path).size, 0);
  expect(BASE_MB + bytes / 1e6).toBeLessThan(300);
});
