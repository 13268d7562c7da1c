// The console's own addresses for originals. A plain <img> would not carry the token, so pictures come as blobs.
import { useEffect, useState } from "preact/hooks";
import { authHeaders } from "../../state/mcp.ts";

// The server paints one page at a time and refuses requests while too many are waiting.
const TRIES = 4;

async function fetchOriginal(path: string, signal: AbortSignal): Promise<Response> {
  for (let left = TRIES; ; left -= 1) {
    const response = await fetch(`/api/documents/${path}`, { headers: authHeaders(), signal });
    if (response.ok) return response;
    if (response.status !== 503 || left <= 1) throw new Error(String(response.status));
    const seconds = Number(response.headers.get("retry-after") ?? 2);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  }
}

export type Loaded<T> = { readonly value?: T; readonly failed?: true };

/** Loads while there is a path; the last value stays until the next is loaded. */
export function useLoaded<T>(
  path: string | undefined,
  read: (response: Response) => Promise<T>,
): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({});
  useEffect(() => {
    if (path === undefined) return;
    const abort = new AbortController();
    fetchOriginal(path, abort.signal)
      .then(read)
      .then((value) => setLoaded({ value }))
      .catch(() => {
        if (!abort.signal.aborted) setLoaded({ failed: true });
      });
    return () => abort.abort();
  }, [path]);
  return loaded;
}

const DRAWING = "image/svg+xml";

/** Reads a page's picture; in a drawing, anything that could run or fetch is removed. */
export async function readPicture(response: Response): Promise<Blob> {
  if (response.status === 204) throw new Error("no picture");
  const type = response.headers.get("content-type") ?? "";
  return type.startsWith(DRAWING) ? cleanDrawing(await response.text()) : response.blob();
}

export async function cleanDrawing(source: string): Promise<Blob> {
  const { openEngine } = await import("../../parts/markdown/engine.ts");
  return new Blob([openEngine().cleanSvg(source)], { type: DRAWING });
}

/** Creates an address for a picture that is valid while the component is mounted. */
export function useBlobUrl(blob: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (blob === undefined) return;
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return url;
}
