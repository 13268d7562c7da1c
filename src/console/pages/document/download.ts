import { authHeaders } from "../state/mcp.ts";

/** Uses fetch because a plain link would not send the token. */
export async function download(id: string, filename: string): Promise<void> {
  const response = await fetch(`/api/documents/${encodeURIComponent(id)}/original`, {
    headers: authHeaders(),
  });
  if (!response.ok) return;
  const url = URL.createObjectURL(await response.blob());
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = filename;
  anchor.click();
  URL.revokeObjectURL(url);
}
