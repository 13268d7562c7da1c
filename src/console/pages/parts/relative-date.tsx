// A relative date, with the exact one as its title.
import { useEffect, useState } from "preact/hooks";
import { ago, formatDate, useI18n } from "../state/language.ts";

const EVERY_MS = 30_000;

export function RelativeDate({ iso }: { iso: string | undefined }) {
  const { language } = useI18n();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  if (!iso) return null;
  return (
    <time dateTime={iso} title={formatDate(iso, language)}>
      {ago(Date.parse(iso), Math.max(now, Date.now()), language)}
    </time>
  );
}
