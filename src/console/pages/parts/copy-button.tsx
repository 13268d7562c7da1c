import { useState } from "preact/hooks";
import { useI18n } from "../state/language.ts";
import { Icon } from "./icon.tsx";

export function CopyButton({ text }: { text: string }) {
  const { t } = useI18n();
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <button type="button" class="quiet" onClick={copy}>
      <Icon name="copy" />
      <span aria-live="polite">{t(copied ? "copied" : "copy")}</span>
    </button>
  );
}
