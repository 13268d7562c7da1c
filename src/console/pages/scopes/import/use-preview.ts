import { useEffect, useState } from "preact/hooks";
import type { DropReport, RuleDrop } from "../../../../tools/scopes/contract.ts";
import { sendDrop } from "./send-drop.ts";

export type Preview =
  | { readonly kind: "none" }
  | { readonly kind: "failed"; readonly thrown: unknown }
  | { readonly kind: "seen"; readonly report: DropReport };

/** What the import would change, asked anew whenever the wish changes. */
export function usePreview(wish: RuleDrop | undefined): Preview {
  const [preview, setPreview] = useState<Preview>({ kind: "none" });
  const key = wish && JSON.stringify({ ...wish, files: wish.files.map(({ path }) => path) });
  useEffect(() => {
    setPreview({ kind: "none" });
    if (!wish) return;
    const abort = new AbortController();
    sendDrop({ ...wish, write: false }, abort.signal).then(
      (report) => setPreview({ kind: "seen", report }),
      (thrown: unknown) => {
        if (!abort.signal.aborted) setPreview({ kind: "failed", thrown });
      },
    );
    return () => abort.abort();
  }, [key, wish?.files]);
  return preview;
}
