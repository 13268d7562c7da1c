// The navigation bar: every page, language, theme, sign-out.
import { useLayoutEffect } from "preact/hooks";
import { Button, Icon, type IconName } from "./parts/parts.tsx";
import { keep, useKept } from "./state/kept.ts";
import { t } from "./state/language.ts";
import { token } from "./state/mcp.ts";
import { CHECK_TOOL, isOffered, type ToolRow } from "./state/offered-tools.ts";
import { toPath } from "./state/route.ts";
import type { Text } from "./state/texts.ts";

/** In the order of the navigation. */
const NAMES = [
  ...["overview", "search", "documents", "scopes", "sources"],
  ...["access", "check", "connect", "settings"],
] as const;
export type PageName = (typeof NAMES)[number];

/** Some pages need a tool. */
export const PAGES: Readonly<
  Record<PageName, { readonly title: Text; readonly icon: IconName; readonly needs?: string }>
> = {
  overview: { title: "Overview", icon: "gauge", needs: "knowledge-status" },
  search: { title: "Search", icon: "search", needs: "knowledge-search" },
  documents: { title: "Documents", icon: "file", needs: "knowledge-show" },
  scopes: { title: "Scopes", icon: "tree", needs: "get_categories" },
  sources: { title: "Sources", icon: "again", needs: "knowledge-show" },
  // Of those who may administrate: others do not have the tool.
  access: { title: "Access", icon: "key", needs: "knowledge-scope-remove" },
  check: { title: "Check", icon: "check", needs: CHECK_TOOL },
  connect: { title: "Connect", icon: "plug" },
  settings: { title: "Settings", icon: "sliders", needs: "kb_answer" },
};

export function offeredPages(offered: readonly ToolRow[] | undefined): readonly PageName[] {
  return NAMES.filter((name) => isOffered(offered, PAGES[name].needs));
}

interface NavigationProps {
  readonly pages: readonly PageName[];
  readonly current: PageName | undefined;
  readonly onLanguage: () => void;
  readonly theme: Theme;
}

export function Navigation({ pages, current, onLanguage, theme }: NavigationProps) {
  return (
    <header class="side">
      <a class="row brand" href={toPath("overview")}>
        <img src={new URL("./icon.svg", import.meta.url).href} alt="" width="26" height="26" />
        <span>knowledge-server</span>
      </a>
      <nav aria-label="knowledge-server">
        {pages.map((name) => (
          <a
            key={name}
            class={name === "search" ? "has-key" : undefined}
            href={toPath(name)}
            aria-current={name === current ? "page" : undefined}
          >
            <Icon name={PAGES[name].icon} />
            <span>{t(PAGES[name].title)}</span>
          </a>
        ))}
      </nav>
      <button type="button" class="more" popovertarget="preferences">
        <Icon name="more" />
        <span>{t("More")}</span>
      </button>
      <Preferences {...{ onLanguage, theme, pages, current }} />
    </header>
  );
}

const THEMES = {
  auto: { icon: "contrast", word: "Theme: system", next: "light", scheme: "light dark" },
  light: { icon: "sun", word: "Theme: light", next: "dark", scheme: "light" },
  dark: { icon: "moon", word: "Theme: dark", next: "auto", scheme: "dark" },
} as const;

export type Theme = ReturnType<typeof useTheme>;

export function useTheme() {
  const kept = useKept("theme");
  const { next, scheme, ...shown } = THEMES[kept === "light" || kept === "dark" ? kept : "auto"];
  useLayoutEffect(() => {
    document.documentElement.style.colorScheme = scheme;
  }, [scheme]);
  return { ...shown, change: () => keep("theme", next) };
}

/** A phone's bar has room for so many; the others are in its menu. styles/shell.css hides them there. */
const IN_BAR = 4;

/** A menu on a phone, always there on a wide screen. */
function Preferences({ onLanguage, theme, pages, current }: NavigationProps) {
  const { icon, word, change } = theme;
  return (
    <div id="preferences" class="preferences" popover="auto">
      {pages.slice(IN_BAR).map((name) => (
        <a
          key={name}
          class="button further"
          href={toPath(name)}
          aria-current={name === current ? "page" : undefined}
          onClick={() => document.getElementById("preferences")?.hidePopover()}
        >
          <Icon name={PAGES[name].icon} /> {t(PAGES[name].title)}
        </a>
      ))}
      <Button class="quiet" icon="globe" text={t("日本語")} onClick={onLanguage} />
      <Button class="quiet" icon={icon} text={t(word)} onClick={change} />
      {token.get() && <Button class="quiet" icon="out" text={t("Sign out")} onClick={signOut} />}
    </div>
  );
}

function signOut(): void {
  token.clear();
  dispatchEvent(new Event("token-needed"));
}
