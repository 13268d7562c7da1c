// News for connected clients: lists that changed, resources that were updated.
import type { Server } from "@modelcontextprotocol/server";
import type { Change } from "../tools/offer.ts";

export function offerSubscriptions(server: Server): Set<string> {
  const subscribed = new Set<string>();
  server.setRequestHandler("resources/subscribe", ({ params: { uri } }) => {
    subscribed.add(uri);
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", ({ params: { uri } }) => {
    subscribed.delete(uri);
    return {};
  });
  return subscribed;
}

export async function tell(
  server: Server,
  change: Change,
  subscribed: ReadonlySet<string>,
): Promise<void> {
  try {
    if (change.kind === "tools") await server.sendToolListChanged();
    else if (change.kind === "resources") await server.sendResourceListChanged();
    else if (change.kind === "resource" && (subscribed.has(change.uri) || isModern(server))) {
      await server.sendResourceUpdated({ uri: change.uri });
    }
  } catch {
    // The client went away in between; there is no one left to tell.
  }
}

/** Modern connections filter by the subscription stream, not by resources/subscribe. */
function isModern(server: Server): boolean {
  return (server.getNegotiatedProtocolVersion() ?? "") >= "2026";
}
