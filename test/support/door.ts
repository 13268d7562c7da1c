// The real door, without an audit file.
import { openAudit } from "../../src/observe/audit.ts";
import { type Door, openDoor } from "../../src/tools/door.ts";
import { silentLog } from "./silent-log.ts";

const log = silentLog();

export function testDoor(): Door {
  return openDoor({ audit: openAudit(undefined), onAuditFailure: "refuse", log });
}
