// The real door, without an audit file.
import { openAudit } from "../../src/observe/audit.ts";
import { openLog } from "../../src/observe/log.ts";
import { type Door, openDoor } from "../../src/tools/door.ts";

const log = openLog({ level: "silent" });

export function testDoor(): Door {
  return openDoor({ audit: openAudit(undefined), onAuditFailure: "refuse", log });
}
