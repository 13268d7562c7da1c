// The navigation bar: every page, language, theme, sign-out.
import { useEffect, useState } from "preact/hooks";
import { PAGE_ICONS, type PageName } from "./page-list.ts";
import { Icon } from "./parts/icon.tsx";
import { useI18n } from "./state/language.ts";
import { token } from "./state/mcp.ts";
import { toHash } from "./state/route.ts";
import { nextTheme, useTheme } from "./state/theme.ts";

interface NavigationProps {
  readonly pages: readonly PageName[];
  readonly current: PageName | undefined;
  readonly onLanguage: () => void;
}

export function Navigation({ pages, current, onLanguage }: NavigationProps) {
  const { t } = useI18n();
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (!open) return;
    const close = (event: Event) => {
      const inside = event.target instanceof Element && event.target.closest(".preferences, .more");
      if (!inside) setOpen(false);
    };
    addEventListener("click", close);
    return () => removeEventListener("click", close);
  }, [open]);
  return (
    <header class="side">
      <a class="brand" href={toHash("overview")}>
        <img src={new URL("./icon.svg", import.meta.url).href} alt="" width="26" height="26" />
        <span>knowledge-server</span>
      </a>
      <nav aria-label="knowledge-server">
        {pages.map((name) => (
          <a
            key={name}
            class={name === "search" ? "has-key" : undefined}
            href={toHash(name)}
            aria-current={name === current ? "page" : undefined}
          >
            <Icon name={PAGE_ICONS[name]} />
            <span>{t(name)}</span>
          </a>
        ))}
      </nav>
      <button type="button" class="more" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="more" />
        <span>{t("more")}</span>
      </button>
      <Preferences open={open} onLanguage={onLanguage} />
    </header>
  );
}

const THEMES = {
  auto: { icon: "contrast", word: "themeAuto" },
  light: { icon: "sun", word: "themeLight" },
  dark: { icon: "moon", word: "themeDark" },
} as const;

function Preferences({ open, onLanguage }: { open: boolean; onLanguage: () => void }) {
  const { t } = useI18n();
  const [theme, setTheme] = useTheme();
  return (
    <div class={`preferences ${open ? "open" : ""}`}>
      <button type="button" class="quiet" onClick={onLanguage}>
        <Icon name="globe" />
        <span>{t("language")}</span>
      </button>
      <button type="button" class="quiet" onClick={() => setTheme(nextTheme(theme))}>
        <Icon name={THEMES[theme].icon} />
        <span>{t(THEMES[theme].word)}</span>
      </button>
      {token.get() && (
        <button type="button" class="quiet" onClick={signOut}>
          <Icon name="out" />
          <span>{t("signOut")}</span>
        </button>
      )}
    </div>
  );
}

function signOut(): void {
  token.clear();
  dispatchEvent(new Event("token-needed"));
}
