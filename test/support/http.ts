// An HTTP server on a free port of this machine, for tests.
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
}

export function openTestHttp(mcp: Mcp, options: TestHttpOptions = {}): Promise<Http> {
  const { token, timeouts, limits, maxMessageBytes = 16 * 1024 * 1024, ...guard } = options;
  const host = options.host ?? "127.0.0.1";
  const log = silentLog();
  return openHttp({
    host,
    port: 0,
    mcp,
    guard: openGuard({
      host,
      authenticate: openTokens({ token, log }),
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
  });
}
