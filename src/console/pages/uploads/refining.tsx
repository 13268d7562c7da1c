import { useI18n } from "../state/language.ts";
import { call } from "../state/mcp.ts";
import { useLive } from "../state/use-live.ts";

const EVERY_MS = 5_000;

/** Shows the second stage in one unobtrusive line, because its documents can already be found. */
export function Refining({ done }: { done: number }) {
  const { t } = useI18n();
  const { data } = useLive((signal) => call("knowledge-status", {}, signal), EVERY_MS, [done]);
  if (!data?.refining) return null;
  return <p class="muted small">{t("refining", data.refining.chunks)}</p>;
}
