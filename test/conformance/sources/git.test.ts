// A repository as a source, through the installed git and a real `git http-backend`.
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, mkdir, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { readInternalMetadata, visibleMetadata } from "../../../src/domain/internal-metadata.ts";
import type { SourceSettings } from "../../../src/domain/source.ts";
import { gitIn, gitServer } from "../../support/git-server.ts";
import { smallDisk } from "../../support/small-disk.ts";
import { openStub } from "../../support/stub.ts";
import { tempFolder } from "../../support/temp-folder.ts";
import { type TempIngest, tempIngest } from "../../support/temp-ingest.ts";

const NEVER = new AbortController().signal;
const FIRST = { limit: 100, offset: 0, sortBy: "filename", sortOrder: "asc" } as const;

let at: TempIngest;
let root: string;
let work: string;

beforeEach(async () => {
  at = await tempIngest();
  root = tempFolder("git-root");
  work = join(root, "manual");
  await mkdir(join(work, "docs"), { recursive: true });
  await gitIn(work, "init", "-q", "-b", "main");
});
afterEach(async () => {
  await at.dispose();
  await rm(root, { recursive: true, force: true });
});

async function commit(files: Readonly<Record<string, string | undefined>>, date: string) {
  for (const [path, text] of Object.entries(files)) {
    if (text === undefined) await rm(join(work, path));
    else await writeFile(join(work, path), text);
  }
  await gitIn(work, "add", "-A");
  const when = new Date(date).toISOString();
  await gitIn(work, "-c", "core.hooksPath=/dev/null", "commit", "-q", "-m", "x", "--date", when);
  process.env["GIT_COMMITTER_DATE"] = when;
  await gitIn(work, "commit", "-q", "--amend", "--no-edit", "--no-verify", "--date", when);
  delete process.env["GIT_COMMITTER_DATE"];
  return gitIn(work, "rev-parse", "HEAD");
}

async function sync(address: string, settings: SourceSettings = {}) {
  const id = await at.ingest.sources.put({ address, settings }, "anywhere");
  const task = await at.ingest.sources.sync(id, NEVER);
  const { failure } = await at.ingest.finish(task.id, { signal: NEVER });
  const source = (await at.ingest.sources.list()).find((each) => each.id === id);
  return { id, failure, run: source?.lastRun };
}

/** As a caller without a person's rights. */
async function follow(address: string) {
  const id = await at.ingest.sources.put({ kind: "git", address, settings: {} });
  const task = await at.ingest.sources.sync(id, NEVER);
  const { failure } = await at.ingest.finish(task.id, { signal: NEVER });
  return failure?.error;
}

async function documents() {
  const { documents: found } = await at.store.documents.list(FIRST);
  return found.map(({ filename, metadata }) => ({
    filename,
    commit: visibleMetadata(metadata)["commit"],
    modified: readInternalMetadata(metadata).modified?.slice(0, 10),
  }));
}

describe("a repository", () => {
  test("in two scopes: each has its documents, and removing one source leaves the other's", async () => {
    await commit({ "a.md": "alpha", "b.md": "beta" }, "2026-01-05");
    const scopesOf = async () =>
      (await at.store.documents.list(FIRST)).documents.map(
        ({ filename, scope = "general" }) => `${filename} ${scope}`,
      );
    await sync(work);
    const { id } = await sync(work, { scope: "bank" });
    const both = ["a.md bank", "a.md general", "b.md bank", "b.md general"];
    expect((await scopesOf()).sort()).toEqual(both);
    await commit({ "b.md": undefined }, "2026-02-05");
    await sync(work, { scope: "bank" });
    expect((await scopesOf()).sort()).toEqual(both.filter((each) => each !== "b.md bank"));
    // What another scope has is not known to it.
    const { documents } = await at.store.documents.list(FIRST);
    await at.store.documents.remove(documents.find(({ scope }) => scope === "bank")?.id ?? "");
    await sync(work, { scope: "bank" });
    expect((await scopesOf()).sort()).toEqual(both.filter((each) => each !== "b.md bank"));
    expect(await at.ingest.sources.remove(id, true)).toBe(1);
    expect((await scopesOf()).sort()).toEqual(["a.md general", "b.md general"]);
  });

  test("over HTTP: files with commit and date; then only what has changed", async () => {
    const first = await commit(
      { "README.md": "# Manual", "docs/a.md": "alpha", "x.bin": "\0" },
      "2026-01-05",
    );
    const second = await commit({ "docs/b.md": "beta" }, "2026-02-06");
    const server = await gitServer(root);
    try {
      const address = `http://${server.host}/manual/.git`;
      const settings = { allowHosts: [server.host] };
      expect((await sync(address, settings)).run).toMatchObject({ found: 3, added: 3, failed: 0 });
      expect(await documents()).toEqual([
        { filename: "a.md", commit: first, modified: "2026-01-05" },
        { filename: "b.md", commit: second, modified: "2026-02-06" },
        { filename: "README.md", commit: first, modified: "2026-01-05" },
      ]);
      const before = await at.store.documents.list(FIRST);
      expect((await sync(address, settings)).run).toMatchObject({
        unchanged: 3,
        added: 0,
        removed: 0,
      });
      expect(await at.store.documents.list(FIRST)).toEqual(before);
      const third = await commit(
        { "docs/a.md": "alpha, changed", "docs/b.md": undefined },
        "2026-03-07",
      );
      expect((await sync(address, settings)).run).toMatchObject({
        added: 1,
        unchanged: 1,
        removed: 1,
      });
      expect((await documents())[0]).toEqual({
        filename: "a.md",
        commit: third,
        modified: "2026-03-07",
      });
      expect(await documents()).toHaveLength(2);
    } finally {
      await server.close();
    }
  });

  test("by path, at a ref, with patterns; a file that moves keeps its document", async () => {
    await commit({ "README.md": "# Manual", "docs/a.md": "alpha" }, "2026-01-05");
    await gitIn(work, "tag", "v1.0");
    await commit({ "docs/c.md": "gamma" }, "2026-02-06");
    await sync(work, { ref: "v1.0" });
    expect((await documents()).map(({ filename }) => filename)).toEqual(["a.md", "README.md"]);
    await sync(work, { ref: "main", include: ["docs/"], exclude: ["a.md"] });
    expect((await documents()).map(({ filename }) => filename)).toEqual([
      "a.md",
      "c.md",
      "README.md",
    ]);
    const before = await at.store.documents.list({ ...FIRST, match: "c.md" });
    await gitIn(work, "mv", "docs/c.md", "docs/d.md");
    await commit({}, "2026-04-01");
    await sync(work, { ref: "main", include: ["docs/"], exclude: ["a.md"] });
    const after = await at.store.documents.list({ ...FIRST, match: "d.md" });
    expect(after.documents[0]?.id).toBe(before.documents[0]?.id);
  });

  test("runs nothing of the repository: no hook, filter, submodule or link", async () => {
    const trace = join(root, "ran");
    const evil = join(root, "evil.sh");
    await writeFile(evil, `#!/bin/sh\ntouch ${trace}\ncat\n`);
    await chmod(evil, 0o700);
    await mkdir(join(root, "sub"));
    await gitIn(join(root, "sub"), "init", "-q", "-b", "main");
    await writeFile(join(root, "sub", "s.md"), "sub");
    await gitIn(join(root, "sub"), "add", "-A");
    await gitIn(join(root, "sub"), "commit", "-q", "-m", "x");
    await gitIn(work, "submodule", "add", "-q", join(root, "sub"), "sub");
    await symlink("/etc/passwd", join(work, "passwd.md"));
    await writeFile(join(work, ".env"), "TOKEN=1");
    await commit(
      { "a.md": "alpha", ".gitattributes": "*.md filter=evil diff=evil\n" },
      "2026-01-05",
    );
    for (const [name, value] of [
      ["filter.evil.smudge", evil],
      ["diff.evil.textconv", evil],
      ["diff.external", evil],
      ["core.fsmonitor", evil],
      ["uploadpack.packObjectsHook", evil],
      ["credential.helper", evil],
    ] as const)
      await gitIn(work, "config", name, value);
    await mkdir(join(work, ".git", "hooks"), { recursive: true });
    for (const hook of ["post-checkout", "reference-transaction", "post-update", "pre-auto-gc"])
      await writeFile(join(work, ".git", "hooks", hook), `#!/bin/sh\ntouch ${trace}\n`, {
        mode: 0o700,
      });
    expect((await sync(work)).run).toMatchObject({ added: 1, failed: 0 });
    expect((await documents()).map(({ filename }) => filename)).toEqual(["a.md"]);
    await expect(stat(trace)).rejects.toThrow();
  });

  test("that is gone or has no such ref loses nothing and says why", async () => {
    await commit({ "a.md": "alpha" }, "2026-01-05");
    const { id } = await sync(work);
    const { failure } = await sync(work, { ref: "no-such-branch" });
    expect(failure?.message).toContain("no such branch");
    await rm(work, { recursive: true });
    const task = await at.ingest.sources.sync(id, NEVER);
    expect((await at.ingest.finish(task.id, { signal: NEVER })).status).toBe("failed");
    expect(await documents()).toHaveLength(1);
  });

  test.each([
    ["/404/a.git", 500, "does not respond"],
    ["/401/403.git", 500, "does not respond"],
    ["/a.git", 403, "denied"],
    ["/403/a.git", 404, "none at this address"],
  ])("is called what its server said, whatever its address: %s, %i", async (path, status, said) => {
    const server = await openStub((_, response) => response.writeHead(status).end());
    try {
      const allowHosts = [`127.0.0.1:${server.port}`];
      const { failure } = await sync(`${server.url}${path}`, { allowHosts });
      expect(failure?.message).toContain(said);
    } finally {
      await server.close();
    }
  });

  test.each([
    "ext::sh -c 'touch /tmp/x'",
    "--upload-pack=touch",
    "git://example.com/x.git",
    "relative/path.git",
  ])("refuses the address %s", async (address) => {
    await expect(
      at.ingest.sources.put({ kind: "git", address, settings: {} }, "anywhere"),
    ).rejects.toMatchObject({
      code: "INVALID_PARAMETER",
    });
  });

  test("on a private host is refused unless the host is allowed by name", async () => {
    const web = { resolve: async () => ["10.0.0.7"], dial: () => expect.unreachable() };
    const inside = await tempIngest({ web: { ...web, timeoutMs: 1_000, userAgent: "x" } as never });
    try {
      for (const address of [
        "https://git.test/a.git",
        "ssh://git@git.test/a.git",
        "git@git.test:a.git",
      ]) {
        const id = await inside.ingest.sources.put({ address, settings: {} }, "anywhere");
        const task = await inside.ingest.sources.sync(id, NEVER);
        const { failure } = await inside.ingest.finish(task.id, { signal: NEVER });
        expect(failure?.error).toBe("access_denied");
      }
    } finally {
      await inside.dispose();
    }
  });

  test("leaves its copy behind no longer than the source, and its documents until they are removed", async () => {
    await commit({ "a.md": "alpha" }, "2026-01-05");
    const { id } = await sync(work);
    const copy = join(at.temp.dataDir, "sources", `${id}.git`);
    expect((await stat(copy)).isDirectory()).toBe(true);
    await at.ingest.sources.remove(id);
    await expect(stat(copy)).rejects.toThrow();
    expect(await documents()).toHaveLength(1);
    await sync(work);
    expect(await at.ingest.sources.remove(id, true)).toBe(1);
    expect(await documents()).toHaveLength(0);
  });
});

describe("a caller's repository", () => {
  // Each makes `path`, which callers may name, lead to the private one.
  const WAYS: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
    "a file .git": async (path) => {
      await mkdir(path);
      await writeFile(join(path, ".git"), `gitdir: ${join(work, ".git")}\n`);
    },
    "a link .git": async (path) => {
      await mkdir(path);
      await symlink(join(work, ".git"), join(path, ".git"));
    },
    "a link beside it": (path) => symlink(work, `${path}.git`),
    "a file .git beside it": (path) => writeFile(`${path}.git`, `gitdir: ${join(work, ".git")}\n`),
    "a file .git inside .git": async (path) => {
      await gitIn(at.root, "init", "-q", "-b", "main", path);
      await rm(join(path, ".git", "HEAD"));
      await writeFile(join(path, ".git", ".git"), `gitdir: ${join(work, ".git")}\n`);
    },
    "a worktree": (path) => gitIn(work, "worktree", "add", "-q", path),
    "shared objects": (path) => gitIn(at.root, "clone", "-q", "--shared", work, path),
    "a bare clone with shared objects": (path) =>
      gitIn(at.root, "clone", "-q", "--bare", "--shared", work, path),
    "a common folder": async (path) => {
      await gitIn(at.root, "init", "-q", "-b", "main", path);
      await writeFile(join(path, ".git", "commondir"), `${join(work, ".git")}\n`);
    },
    ...Object.fromEntries(
      ["objects", "refs"].map((linked) => [
        `a link ${linked}`,
        async (path: string) => {
          await gitIn(at.root, "clone", "-q", work, path);
          await rm(join(path, ".git", linked), { recursive: true });
          await symlink(join(work, ".git", linked), join(path, ".git", linked));
        },
      ]),
    ),
    "a link in the objects": async (path) => {
      await gitIn(at.root, "clone", "-q", work, path);
      const from = join(path, ".git", "objects");
      const [folder = ""] = (await readdir(from)).filter((name) => name.length === 2);
      await rm(join(from, folder), { recursive: true });
      await symlink(join(work, ".git", "objects", folder), join(from, folder));
    },
    "a pipe for HEAD": async (path) => {
      await gitIn(at.root, "clone", "-q", work, path);
      await rm(join(path, ".git", "HEAD"));
      await promisify(execFile)("mkfifo", [join(path, ".git", "HEAD")]);
    },
  };

  test.each(Object.keys(WAYS))("that leads to another one by %s is refused", async (way) => {
    await commit({ "a.md": "private" }, "2026-01-05");
    const path = join(at.root, "open");
    await WAYS[way]?.(path);
    expect(await follow(path)).toMatch(/access_denied|file_unavailable|file_not_found/);
    expect(await documents()).toEqual([]);
  });

  test("of its own is read, bare or not", async () => {
    await commit({ "a.md": "alpha" }, "2026-01-05");
    const [plain, bare] = [join(at.root, "plain"), join(at.root, "bare.git")];
    await gitIn(at.root, "clone", "-q", "--no-local", work, plain);
    await gitIn(at.root, "clone", "-q", "--no-local", "--bare", work, bare);
    expect([await follow(plain), await follow(bare)]).toEqual([undefined, undefined]);
    expect((await documents()).map(({ filename }) => filename)).toEqual(["a.md"]);
  });

  test.each([
    ["another address", (url: string) => `[url "${url}"]\n\tinsteadOf = http://git.test/\n`],
    ["a header", () => "[http]\n\textraHeader = Authorization: Basic secret\n"],
    ["a cookie", (_url: string, home: string) => `[http]\n\tcookieFile = ${join(home, "jar")}\n`],
    ["a password", () => ""],
  ])("over HTTP is asked for without %s of the server's user", async (what, settings) => {
    await commit({ "a.md": "private" }, "2026-01-05");
    const asked: IncomingMessage[] = [];
    const proxy = await openStub((request, response) => {
      asked.push(request);
      response.writeHead(401, { "www-authenticate": "Basic realm=x" }).end();
    });
    const home = tempFolder("home");
    const written = {
      ".gitconfig": settings(`${root}/`, home),
      ".netrc": "machine git.test login me password secret\n",
      jar: "git.test\tFALSE\t/\tFALSE\t0\ttoken\tsecret\n",
    };
    for (const [name, text] of Object.entries(written))
      await writeFile(join(home, name), text, { mode: 0o600 });
    const web = { resolve: async () => ["93.184.216.34"] };
    const caller = await tempIngest({ web: { ...web, timeoutMs: 1_000, userAgent: "x" } as never });
    vi.stubEnv("HOME", home);
    vi.stubEnv("http_proxy", `http://127.0.0.1:${proxy.port}`);
    vi.stubEnv("no_proxy", "");
    try {
      const address = "http://git.test/manual/.git";
      const tried = async (from?: "anywhere") => {
        const id = await caller.ingest.sources.put({ kind: "git", address, settings: {} }, from);
        const task = await caller.ingest.sources.sync(id, NEVER);
        const { status } = await caller.ingest.finish(task.id, { signal: NEVER });
        const lines = asked.splice(0).flatMap(({ url, rawHeaders }) => [url, ...rawHeaders]);
        return { status, lines: lines.join("\n") };
      };
      const { status, lines } = await tried();
      expect(status).toBe("failed");
      expect(lines).toMatch(/http:\/\/git\.test\/manual/);
      expect(lines).not.toMatch(/authorization|cookie|secret/i);
      // A person's is asked for with everything that git has.
      const own = await tried("anywhere");
      const isUsed = /authorization|cookie/i.test(own.lines) || own.status === "completed";
      expect([what, isUsed]).toEqual([what, true]);
    } finally {
      vi.unstubAllEnvs();
      await caller.dispose();
      await proxy.close();
      await rm(home, { recursive: true });
    }
  });
});

describe("a repository that is larger than the disk allows", () => {
  const BYTES = 48 * 1024 * 1024;
  const put = async (name: string, size: number) => {
    await writeFile(join(work, name), randomBytes(size));
    await commit({ [`${name}.md`]: name }, "2026-01-05");
  };
  const onSmallDisk = async (run: (small: TempIngest, folder: string) => Promise<void>) => {
    const disk = await smallDisk(BYTES);
    if (disk === undefined) return;
    vi.stubEnv("TMPDIR", disk.path);
    const small = await tempIngest();
    vi.unstubAllEnvs();
    try {
      await run(small, join(small.temp.dataDir, "sources"));
    } finally {
      await small.dispose();
      await disk.dispose();
    }
  };
  const fetchInto = async ({ ingest }: TempIngest) => {
    const id = await ingest.sources.put({ address: work, settings: {} }, "anywhere");
    const task = await ingest.sources.sync(id, NEVER);
    return (await ingest.finish(task.id, { signal: NEVER })).failure;
  };
  const sizeOf = async (folder: string) => {
    const names = await readdir(folder, { recursive: true });
    const sizes = names.map(async (name) => (await stat(join(folder, name))).size);
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  };

  test("leaves nothing, and adds go on", () =>
    onSmallDisk(async (small, folder) => {
      await put("big", BYTES);
      expect((await fetchInto(small))?.message).toContain("disk");
      expect(await sizeOf(folder)).toBeLessThan(100_000);
      const path = await small.write("a.md", "alpha");
      const options = { metadata: {}, forceOcr: false, signal: NEVER };
      const { task } = await small.ingest.enqueue({ kind: "file", path }, options);
      await small.ingest.finish(task.id, { signal: NEVER });
      expect((await small.store.documents.list(FIRST)).total).toBe(1);
    }));

  test("since the last sync keeps what was copied then", () =>
    onSmallDisk(async (small, folder) => {
      await put("small", 1_000_000);
      expect(await fetchInto(small)).toBeUndefined();
      await put("big", BYTES);
      expect(await fetchInto(small)).toBeDefined();
      expect(await sizeOf(folder)).toBeLessThan(3_000_000);
      expect((await small.store.documents.list(FIRST)).total).toBe(1);
    }));
});

describe("a copy that a kill or a power cut left", () => {
  test.each([
    [
      "with a lock of its list of commits",
      (copy: string) => writeFile(join(copy, "shallow.lock"), ""),
    ],
    ["with a lock of its settings", (copy: string) => writeFile(join(copy, "config.lock"), "")],
    ["with damaged settings", (copy: string) => writeFile(join(copy, "config"), "[core")],
    ["without its first file", (copy: string) => rm(join(copy, "HEAD"))],
    ["with a damaged list of commits", (copy: string) => writeFile(join(copy, "shallow"), "x\n")],
    ["without objects", (copy: string) => rm(join(copy, "objects"), { recursive: true })],
  ])("%s is fetched again", async (_what, damage) => {
    await commit({ "a.md": "alpha" }, "2026-01-05");
    const { id } = await sync(work);
    await damage(join(at.temp.dataDir, "sources", `${id}.git`));
    await commit({ "b.md": "beta" }, "2026-01-06");
    expect(await sync(work)).toMatchObject({ failure: undefined, run: { added: 1, failed: 0 } });
    expect(await documents()).toHaveLength(2);
  });
});
