// The real access control, without an audit file.
import { openAudit } from "../../src/observe/audit.ts";
import { type AccessControl, openAccessControl } from "../../src/tools/access-control.ts";
import { silentLog } from "./silent-log.ts";

const log = silentLog();

export function testAccess(): AccessControl {
  return openAccessControl({ audit: openAudit(undefined), onAuditFailure: "refuse", log });
}
