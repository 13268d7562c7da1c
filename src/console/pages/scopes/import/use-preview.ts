import { useEffect, useState } from "preact/hooks";
import type { DropReport, RuleDrop } from "../../../../tools/scopes/contract.ts";
import { sendDrop } from "./send-drop.ts";

export type Preview =
  | { readonly kind: "none" }
  | { readonly kind: "failed"; readonly thrown: unknown }
  | { readonly kind: "seen"; readonly report: DropReport };

interface Shown {
  readonly wish: RuleDrop | undefined;
  readonly preview: Preview;
}

const NONE: Preview = { kind: "none" };
// Longer than the gap between two keys, shorter than it takes to look up from the keyboard.
const PAUSE_MS = 250;

/**
 * Computes what the import would change, again whenever typing pauses. Until then the previous
 * preview stays on the page, marked as not current, so that the layout does not jump.
 */
export function usePreview(wish: RuleDrop | undefined) {
  const [shown, setShown] = useState<Shown>({ wish: undefined, preview: NONE });
  useEffect(() => {
    if (!wish) return setShown({ wish, preview: NONE });
    const abort = new AbortController();
    const take = (preview: Preview) => {
      if (!abort.signal.aborted) setShown({ wish, preview });
    };
    const ask = () =>
      sendDrop({ ...wish, write: false }, abort.signal).then(
        (report) => take({ kind: "seen", report }),
        (thrown: unknown) => take({ kind: "failed", thrown }),
      );
    const timer = setTimeout(ask, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [wish]);
  return { preview: shown.preview, isCurrent: shown.wish === wish };
}
