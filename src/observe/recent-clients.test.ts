import { expect, test } from "vitest";
import { openRecentClients } from "./recent-clients.ts";

const client = (name: string, who = "owner") => ({ who, name, version: "1", transport: "http" });

test("the newest is first, a returning client is listed once, and old ones are dropped", () => {
  const clients = openRecentClients(() => 0);
  for (let at = 0; at < 30; at += 1) clients.note(client(`c${at}`));
  clients.note(client("c15"));
  const names = clients.list().map(({ name }) => name);
  expect(names).toHaveLength(20);
  expect(names.slice(0, 2)).toEqual(["c15", "c29"]);
});

test("a caller sees only their own, and a name is one short line", () => {
  const clients = openRecentClients(() => 0);
  clients.note(client("theirs", "ann"));
  clients.note(client(`mine\n${"x".repeat(999)}`, "bob"));
  expect(clients.list("ann").map(({ name }) => name)).toEqual(["theirs"]);
  const [mine] = clients.list("bob");
  expect(mine?.name.length).toBeLessThanOrEqual(255);
  expect(mine?.name).not.toContain("\n");
});
