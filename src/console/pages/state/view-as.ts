// An administrator may see the console as another caller: this tab then sends a temporary token.
import { api, CallFailed, token } from "./mcp.ts";

const OWN_KEY = "knowledge-server.own-token";
const NAME_KEY = "knowledge-server.viewed-as";

/** The name of the token that the console is seen as; undefined if it is the person's own. */
export function viewedAs(): string | undefined {
  return sessionStorage.getItem(NAME_KEY) ?? undefined;
}

export async function startViewing(name: string): Promise<void> {
  const { token: temporary } = await api<{ token?: string }>("/api/view-as", { body: { name } });
  if (temporary === undefined) throw new CallFailed("The server sent no token.");
  sessionStorage.setItem(OWN_KEY, token.get());
  sessionStorage.setItem(NAME_KEY, name);
  restart(temporary);
}

export function stopViewing(): void {
  const own = sessionStorage.getItem(OWN_KEY) ?? "";
  sessionStorage.removeItem(OWN_KEY);
  sessionStorage.removeItem(NAME_KEY);
  restart(own);
}

/** Everything that is shown was read by the other token. */
function restart(next: string): void {
  token.set(next);
  location.assign("/");
}
