// Sends one file and reports its progress.
import { authHeaders, unreached } from "../state/mcp.ts";
import { fromResponse } from "./from-server.ts";
import type { Item } from "./upload-items.ts";

interface SendHooks {
  readonly signal: AbortSignal;
  readonly onProgress: (fraction: number) => void;
}

// XMLHttpRequest because fetch does not report how much of a body has been sent.
export function sendFile(
  file: File,
  name: string,
  { signal, onProgress }: SendHooks,
): Promise<Partial<Item>> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("POST", `/api/upload?filename=${encodeURIComponent(name)}`);
    request.setRequestHeader("content-type", "application/octet-stream");
    for (const [key, value] of Object.entries(authHeaders())) request.setRequestHeader(key, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      if (request.status === 401) dispatchEvent(new Event("token-needed"));
      resolve(fromResponse(request.status, request.responseText));
    };
    request.onerror = () => resolve({ state: "failed", failure: unreached() });
    request.onabort = () => resolve({ state: "cancelled", step: [] });
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
  });
}
