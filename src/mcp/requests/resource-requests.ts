import type { Server } from "@modelcontextprotocol/server";
import { type Connection, type Parts, runRequest } from "../call-context.ts";
import { readViewFile } from "../extensions/apps.ts";
import { ANY, COMPLETE, LIST, RESOURCE, readParams } from "../params.ts";

export function offerResources(server: Server, parts: Parts, connection: Connection): void {
  const { catalogue, resources } = parts;
  server.setRequestHandler("resources/templates/list", ANY, (params, context) =>
    runRequest(parts, { context, connection, server }, async () => {
      readParams(LIST, params);
      return catalogue.templates;
    }),
  );
  server.setRequestHandler("resources/list", ANY, (params, context) =>
    runRequest(parts, { context, connection, server }, async (call) =>
      resources.list(readParams(LIST, params).cursor, call),
    ),
  );
  server.setRequestHandler("resources/read", ANY, async (params, context) => {
    const { uri } = readParams(RESOURCE, params);
    return runRequest(parts, { context, connection, server, uri }, async (call) => ({
      contents: [
        (await readViewFile(parts.readView, uri)) ?? (await resources.read(uri, call)),
      ].flat(),
    }));
  });
  server.setRequestHandler("completion/complete", ANY, (params, context) =>
    runRequest(parts, { context, connection, server }, async (call) => ({
      completion: { ...(await resources.complete(readParams(COMPLETE, params), call)) },
    })),
  );
}
