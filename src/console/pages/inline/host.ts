// The host around an inline view (MCP Apps): JSON-RPC by postMessage, as its specification of 2026-01-26 says.
import type { SearchAnswer } from "../../../tools/documents/contract.ts";
import { openStore } from "../state/store.ts";

type Params = Readonly<Record<string, unknown>>;

/** The parts of a tool's result that the view shows. */
export interface Structured {
  readonly success?: boolean;
  readonly message?: string;
  readonly query?: string;
  readonly results?: SearchAnswer["results"];
  readonly filename?: string;
  readonly text?: string;
  readonly page_num?: number;
  readonly sheet?: string;
}

interface Result {
  readonly structuredContent?: Structured;
  readonly hostContext?: { readonly theme?: string; readonly locale?: string };
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Result;
  readonly result?: Result;
  readonly error?: { readonly message?: string };
}

export type Host = ReturnType<typeof openHost>;

export function openHost() {
  // Whatever the host sends may arrive before the page's first frame.
  const shown = openStore<Structured | undefined>(undefined);
  const locale = openStore(navigator.language);
  const state = { count: 0 };
  const waiting = new Map<number, (message: Message) => void>();
  const send = (message: object) =>
    window.parent.postMessage({ jsonrpc: "2.0", ...message }, { targetOrigin: "*" });
  const ask = (method: string, params: Params): Promise<Result> => {
    const id = ++state.count;
    return new Promise((resolve, reject) => {
      waiting.set(id, ({ result, error }) =>
        result ? resolve(result) : reject(new Error(error?.message ?? "The host gave no result.")),
      );
      send({ id, method, params });
    });
  };
  window.addEventListener("message", ({ data, source }) => {
    // Only the frame around this one can be the host.
    if (source !== window.parent) return;
    const message: Message = data;
    if (message.method === "ui/notifications/tool-result") {
      shown.set(message.params?.structuredContent ?? {});
    } else if (message.method !== undefined && message.id !== undefined) {
      send({ id: message.id, result: {} });
    } else if (message.id !== undefined) {
      waiting.get(message.id)?.(message);
      waiting.delete(message.id);
    }
  });
  void introduce(ask, send).then((given) => {
    if (given !== undefined) locale.set(given);
  });
  return {
    /** What the call returned that the view was opened for. */
    shown,
    /** The host's language, or else the browser's. */
    locale,
    /** Calls a tool of the server that the view comes from. */
    call: async (name: string, args: Params): Promise<Structured | undefined> =>
      (await ask("tools/call", { name, arguments: args })).structuredContent,
  };
}

async function introduce(
  ask: (method: string, params: Params) => Promise<Result>,
  send: (message: object) => void,
): Promise<string | undefined> {
  const { hostContext } = await ask("ui/initialize", {
    protocolVersion: "2026-01-26",
    appInfo: { name: "knowledge-server", version: "1" },
    appCapabilities: { availableDisplayModes: ["inline"] },
  });
  const theme = hostContext?.theme;
  if (theme === "light" || theme === "dark") document.documentElement.style.colorScheme = theme;
  send({ method: "ui/notifications/initialized", params: {} });
  new ResizeObserver(() => {
    const { width, height } = document.documentElement.getBoundingClientRect();
    const size = { width: Math.ceil(width), height: Math.ceil(height) };
    send({ method: "ui/notifications/size-changed", params: size });
  }).observe(document.documentElement);
  return hostContext?.locale;
}
