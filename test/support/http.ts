// An HTTP server on a free port of this machine, for tests.
import type { Console } from "../../src/console/console.ts";
import type { Mcp } from "../../src/mcp/mcp.ts";
import { openMetrics } from "../../src/observe/metrics.ts";
import { type GuardOptions, openGuard } from "../../src/transports/auth/guard.ts";
import { openTokens } from "../../src/transports/auth/tokens.ts";
import { type Http, openHttp, type Timeouts } from "../../src/transports/http/http.ts";
import type { Limits } from "../../src/transports/limits.ts";
import { silentLog } from "./silent-log.ts";

export interface TestHttpOptions extends Partial<GuardOptions> {
  readonly token?: string;
  readonly maxMessageBytes?: number;
  readonly timeouts?: Timeouts;
  readonly limits?: Limits;
  readonly console?: Console;
}

export function openTestHttp(mcp: Mcp, options: TestHttpOptions = {}): Promise<Http> {
  const {
    token,
    timeouts,
    limits,
    console: pages,
    maxMessageBytes = 16 * 1024 * 1024,
    ...guard
  } = options;
  const host = options.host ?? "127.0.0.1";
  const log = silentLog();
  return openHttp({
    host,
    port: 0,
    mcp,
    guard: openGuard({
      host,
      authenticate: openTokens({ token, log }).identify,
      allowedHosts: [],
      allowedOrigins: [],
      ...guard,
    }),
    log,
    metrics: openMetrics(),
    maxMessageBytes,
    version: "0.0.0-test",
    card: {
      name: "test/server",
      version: "0.0.0-test",
      repositoryUrl: "https://example.org",
      isGuarded: token !== undefined,
    },
    ...(timeouts ? { timeouts } : {}),
    ...(limits ? { limits } : {}),
    ...(pages ? { console: pages } : {}),
  });
}
