// What the client of a request supports, and what this server advertises in return: an extension is named only to
// clients that named it first, except where its specification makes the server's declaration the handshake (Skills).
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  MissingRequiredClientCapabilityError,
  type Server,
  type ServerCapabilities,
  type ServerContext,
} from "@modelcontextprotocol/server";

import { APPS, hasApps } from "./apps.ts";

export const TASKS = "io.modelcontextprotocol/tasks";
const SKILLS = "io.modelcontextprotocol/skills";

/** The revision whose core has tasks; before and after it they are no part of the core. */
const TASKS_REVISION = "2025-11-25";

export function capabilitiesOf(
  server: Pick<Server, "getClientCapabilities">,
  context?: ServerContext,
): ClientCapabilities {
  const envelope: Readonly<Record<string, unknown>> | undefined = context?.mcpReq.envelope;
  // Since 2026-07-28 each request states it.
  if (envelope) return (envelope[CLIENT_CAPABILITIES_META_KEY] ?? {}) as ClientCapabilities;
  return server.getClientCapabilities() ?? {};
}

export function hasExtension({ extensions }: ClientCapabilities, name: string): boolean {
  return extensions?.[name] !== undefined;
}

/** Over a session of the revision that has tasks in its core. */
export function hasCoreTasks(server: Pick<Server, "getNegotiatedProtocolVersion">): boolean {
  return server.getNegotiatedProtocolVersion() === TASKS_REVISION;
}

/** Throws the protocol's error if the request's client did not name the extension. */
export function requireExtension(server: Server, context: ServerContext, name: string): void {
  if (hasExtension(capabilitiesOf(server, context), name)) return;
  throw new MissingRequiredClientCapabilityError({
    requiredCapabilities: { extensions: { [name]: {} } },
  });
}

export interface Offered {
  readonly tasks: boolean;
  readonly skills: boolean;
  readonly apps: boolean;
}

/** Makes the server's capabilities depend on the client; they are read at the handshake. */
export function advertise(server: Server, base: ServerCapabilities, offered: Offered): void {
  server.getCapabilities = () => {
    // Over stdio, 2026-07-28 has no client until its first call: it is treated as one that knows everything.
    const client = server.getClientCapabilities() ?? { extensions: { [TASKS]: {} } };
    const extensions = {
      ...(offered.skills && { [SKILLS]: {} }),
      ...(offered.tasks && hasExtension(client, TASKS) && { [TASKS]: {} }),
      ...(offered.apps && hasApps(client) && { [APPS]: {} }),
    };
    return {
      ...base,
      ...(Object.keys(extensions).length > 0 && { extensions }),
      ...(offered.tasks && hasCoreTasks(server) && { tasks: CORE_TASKS }),
    };
  };
}

const CORE_TASKS = { cancel: {}, requests: { tools: { call: {} } } };
