import type { DropReport, RuleDrop } from "../../../../tools/scopes/contract.ts";
import { authHeaders, CallFailed, TokenNeeded } from "../../state/mcp.ts";

export async function sendDrop(drop: RuleDrop, signal?: AbortSignal): Promise<DropReport> {
  const response = await fetch("/api/scopes/import", {
    method: "POST",
    headers: { "content-type": "application/json", ...authHeaders() },
    body: JSON.stringify(drop),
    ...(signal ? { signal } : {}),
  });
  if (response.status === 401) throw new TokenNeeded("token");
  const body = await response.json();
  if (!response.ok) throw new CallFailed(String(body.message ?? body.error?.message), body);
  return body;
}
