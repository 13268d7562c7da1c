// Reads bodies as the server does, for tests of what it hands them to.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { RequestBody } from "../../src/console/console.ts";
import type { Principal } from "../../src/domain/call/principal.ts";
import { openUpload, readJson } from "../../src/transports/http/request-body.ts";
import { openLimits } from "../../src/transports/limits.ts";

const MAX_BYTES = 16 * 1024 * 1024;

interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly principal: Principal;
}

export function openTestBodies(): (call: Call) => RequestBody {
  const limits = openLimits(MAX_BYTES);
  const bounds = { limits, maxBodyBytes: MAX_BYTES, bodyMs: 60_000, isFull: () => false };
  return (call) => ({
    json: () => readJson({ ...call, headers: {} }, bounds),
    upload: () => openUpload({ ...call, headers: {} }, bounds),
  });
}
