// Sights over no rules, for tests in which every caller sees everything.
import { openScopes } from "../../src/scopes/scopes.ts";
import { openSights, type Sights } from "../../src/tools/sights.ts";
import { openMemoryScopes } from "./memory-scopes.ts";
import { silentLog } from "./silent-log.ts";

export function testSights(): Sights {
  return openSights(async () => openScopes({ store: openMemoryScopes(), log: silentLog() }));
}
