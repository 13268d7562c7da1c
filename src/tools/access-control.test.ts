import { readFile, symlink, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { tempFolder } from "../../test/support/temp-folder.ts";
import type { AuditEvent, ChangeEffect } from "../domain/call/audit-event.ts";
import { RIGHTS, type Right } from "../domain/call/principal.ts";
import { KnowledgeError } from "../domain/errors.ts";
import { openAudit } from "../observe/audit.ts";
import { openLog } from "../observe/log.ts";
import { type AccessControlOptions, endOf, openAccessControl, targetOf } from "./access-control.ts";

let folder: string;
let made = 0;
beforeAll(async () => {
  folder = tempFolder("access-control");
});

/** One whose audit file is a link, so that what it leads to can be swapped. */
async function openOn(
  target: string,
  onAuditFailure: AccessControlOptions["onAuditFailure"] = "refuse",
) {
  const path = join(folder, `link-${++made}`);
  const file = join(folder, `audit-${made}`);
  const lines: string[] = [];
  const point = async (to: string) => {
    await unlink(path).catch(() => {});
    await symlink(to, path);
  };
  await point(target === "" ? file : target);
  const log = openLog({ level: "debug", write: (line) => lines.push(line) });
  const read = async () =>
    (await readFile(file, "utf8"))
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  const access = openAccessControl({ audit: openAudit(path), onAuditFailure, log });
  return { access, point, file, read, logged: () => lines.join("") };
}

const who = (...rights: Right[]) => ({ name: "ada", rights: new Set(rights) });
const event = (more: Partial<AuditEvent> = {}): AuditEvent => ({
  actor: who(...RIGHTS),
  action: "knowledge-add",
  effect: "write",
  target: { file: "a.txt" },
  ...more,
});

test("a change writes one line before and one after it, with the same id", async () => {
  const { access, read } = await openOn("");
  const seen = await access.perform(event(), read, () => ({ target: { task_id: "t" } }));
  expect(seen).toMatchObject([{ outcome: "started", who: "ada", to: { file: "a.txt" } }]);
  const [before, after] = await read();
  expect(after).toMatchObject({ id: before.id, outcome: "done", to: { task_id: "t" } });
});

test("the target of a change includes its scope, as the caller or the tool names it", () => {
  const given = { scope: "checkout-api", parent: "webapp", content: "secret", document_id: 7 };
  expect(targetOf(given)).toEqual({ scope: "checkout-api", parent: "webapp" });
  expect(endOf({ payload: { scope: "general", message: "Stored" } }).target).toEqual({
    scope: "general",
  });
});

test("what concerns every scope is refused to whoever has the right in some only", async () => {
  const { access, read } = await openOn("");
  const grants = [{ right: "admin", scope: "webapp", isDeep: true }] as const;
  const actor = { ...who("admin"), grants };
  const wide = event({ actor, effect: "govern", isWide: true });
  await expect(access.perform(wide, async () => {})).rejects.toMatchObject({
    code: "ACCESS_DENIED",
    message: expect.stringContaining("every scope"),
  });
  expect(await read()).toMatchObject([{ outcome: "refused", did: "knowledge-add" }]);
  const everywhere = { ...actor, grants: [...grants, { ...grants[0], scope: "*" }] };
  await access.perform({ ...wide, actor: everywhere }, async () => {});
});

test("a failure is recorded with its code, and thrown as it was", async () => {
  const { access, read } = await openOn("");
  const failure = new KnowledgeError("CORRUPT_FILE", "It is damaged.");
  await expect(access.perform(event(), () => Promise.reject(failure))).rejects.toBe(failure);
  expect((await read())[1]).toMatchObject({ outcome: "failed", error: "corrupt_file" });
});

const NEEDS: Readonly<Record<ChangeEffect, Right>> = {
  write: "write",
  destroy: "admin",
  export: "admin",
  govern: "admin",
};
test.each(
  Object.entries(NEEDS).flatMap(([effect, needed]) =>
    RIGHTS.map((right) => [effect as ChangeEffect, right, right === needed] as const),
  ),
)("%s with the right to %s alone is done: %s", async (effect, right, isDone) => {
  const { access, read } = await openOn("");
  const performed = access.perform(event({ effect, actor: who(right) }), async () => "done");
  if (isDone) expect(await performed).toBe("done");
  else await expect(performed).rejects.toMatchObject({ code: "ACCESS_DENIED" });
  expect((await read()).at(-1)).toMatchObject({ outcome: isDone ? "done" : "refused" });
});

test.each(["/dev/full", tmpdir(), "/proc/version"])(
  "with %s as audit file nothing is done",
  async (target) => {
    const { access, logged } = await openOn(target);
    let isDone = false;
    const work = async () => {
      isDone = true;
    };
    await expect(access.perform(event(), work)).rejects.toMatchObject({
      code: "AUDIT_UNAVAILABLE",
    });
    expect(isDone).toBe(false);
    expect(await access.allowsChanges()).toBe(false);
    expect((await access.auditIssue())?.code).toBe("auditRefuses");
    expect(access.lostLines()).toBe(1);
    expect(logged()).not.toContain(folder);
  },
);

test("a caller without the right gets that error, even if the audit file cannot be written", async () => {
  const { access } = await openOn("/dev/full");
  const denied = access.perform(event({ actor: who("read") }), async () => "done");
  await expect(denied).rejects.toMatchObject({ code: "ACCESS_DENIED" });
});

test("a disk that fills while the change is made does not change what is returned", async () => {
  const { access, point } = await openOn("");
  expect(await access.perform(event(), () => point("/dev/full").then(() => "done"))).toBe("done");
  const failing = async () => {
    throw new KnowledgeError("STORE_FULL", "The disk is full.");
  };
  await expect(access.perform(event(), failing)).rejects.toMatchObject({
    code: "AUDIT_UNAVAILABLE",
  });
});

test("changes resume when the file can be written again, which the file records", async () => {
  const { access, point, file, read } = await openOn("/dev/full");
  await expect(access.perform(event(), async () => {})).rejects.toThrow();
  expect(await access.allowsChanges()).toBe(false);
  await point(file);
  expect(await access.allowsChanges()).toBe(true);
  expect(await access.auditIssue()).toBeUndefined();
  expect(await read()).toMatchObject([{ outcome: "resumed", who: "server" }]);
});

test("if configured, changes are made without a line, and the health check reports it", async () => {
  const { access, logged } = await openOn("/dev/full", "degrade");
  expect(await access.perform(event(), async () => "done")).toBe("done");
  expect(await access.allowsChanges()).toBe(true);
  expect((await access.auditIssue())?.code).toBe("auditDegraded");
  expect(access.lostLines()).toBe(2);
  expect(logged()).toContain("audit.failed");
});
