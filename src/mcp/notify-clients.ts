// What connected clients are notified of: lists that changed, resources that were updated.
import type { Server } from "@modelcontextprotocol/server";
import type { Change } from "../tools/family.ts";
import { type Connection, type Parts, runRequest } from "./call-context.ts";
import { invalidParams } from "./errors.ts";
import { ANY, RESOURCE, readParams } from "./params.ts";
import type { SubscriptionList } from "./subscriptions.ts";

export function offerSubscriptions(
  server: Server,
  parts: Parts,
  connection: Connection,
): SubscriptionList {
  const subscribed = parts.subscriptions.open(connection.principal);
  server.setRequestHandler("resources/subscribe", ANY, (params, context) =>
    runRequest(parts, { context, connection, server }, async () => {
      const { uri } = readParams(RESOURCE, params);
      // Nothing could reach the client, and the state shared by all bare requests would only grow.
      if (!connection.lasting) throw invalidParams("no_session", "Subscribing needs a session.");
      subscribed.add([uri]);
      return {};
    }),
  );
  server.setRequestHandler("resources/unsubscribe", ANY, (params, context) =>
    runRequest(parts, { context, connection, server }, async () => {
      subscribed.remove(readParams(RESOURCE, params).uri);
      return {};
    }),
  );
  return subscribed;
}

export async function notifyClient(
  server: Server,
  change: Change,
  subscribed: Pick<SubscriptionList, "has">,
): Promise<void> {
  try {
    if (change.kind === "tools") await server.sendToolListChanged();
    else if (change.kind === "resources") await server.sendResourceListChanged();
    else if (change.kind === "resource" && (subscribed.has(change.uri) || isModern(server))) {
      await server.sendResourceUpdated({ uri: change.uri });
    }
  } catch {
    // The client has disconnected meanwhile; there is nobody left to notify.
  }
}

/** Modern connections filter by the subscription stream, not by resources/subscribe. */
function isModern(server: Server): boolean {
  return (server.getNegotiatedProtocolVersion() ?? "") >= "2026";
}
