// The frame around every page: navigation, language, theme, sign-in.
import type { ComponentType } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { Connect } from "./connect/connect.tsx";
import { DocumentPage } from "./documents/document.tsx";
import { Documents } from "./documents/documents.tsx";
import { Login } from "./login.tsx";
import { Overview } from "./overview/overview.tsx";
import { Icon, type IconName } from "./parts/icon.tsx";
import { Scopes } from "./scopes/scopes.tsx";
import { SearchPage } from "./search/search.tsx";
import { preferredLanguage, SpeechContext, speech } from "./state/language.ts";
import { useLive } from "./state/live.ts";
import { request, token } from "./state/mcp.ts";
import { isOffered, OfferedContext, type ToolRow } from "./state/offered.ts";
import { type Route, toHash, useRoute } from "./state/route.ts";
import { nextTheme, useTheme } from "./state/theme.ts";

const PAGES = ["overview", "documents", "search", "scopes", "connect"] as const;
type PageName = (typeof PAGES)[number];

const VIEWS: Record<PageName, ComponentType<{ route: Route }>> = {
  overview: Overview,
  documents: ({ route }) =>
    route.id ? <DocumentPage id={route.id} route={route} /> : <Documents />,
  search: SearchPage,
  scopes: Scopes,
  connect: Connect,
};

/** The tool that a page cannot do without. */
const NEEDS: Partial<Record<PageName, string>> = {
  overview: "knowledge-status",
  documents: "knowledge-show",
  search: "knowledge-search",
  scopes: "get_categories",
};

const ICONS: Record<PageName, IconName> = {
  overview: "gauge",
  documents: "file",
  search: "search",
  scopes: "tree",
  connect: "plug",
};

export function Shell() {
  const [language, setLanguage] = useState(preferredLanguage);
  const [locked, setLocked] = useState(false);
  const words = useMemo(() => speech(language), [language]);
  const route = useRoute();
  const { data: offered } = useLive(
    async (signal) => (await request<{ tools: ToolRow[] }>("tools/list", {}, signal)).tools,
    0,
    [locked],
  );
  const pages = PAGES.filter((name) => isOffered(offered, NEEDS[name]));
  const page = pages.find((name) => name === route.page) ?? pages[0] ?? "connect";
  const View = VIEWS[page];

  useEffect(() => {
    const lock = () => setLocked(true);
    addEventListener("token-needed", lock);
    return () => removeEventListener("token-needed", lock);
  }, []);
  // Another page starts at its top, as it would if it were another file.
  useEffect(() => scrollTo(0, 0), [page, route.id]);
  useEffect(() => {
    document.documentElement.lang = language;
    document.title = `${words.say(page)} · knowledge-server`;
    localStorage.setItem("knowledge-server.language", language);
  }, [language, page, words]);

  return (
    <SpeechContext.Provider value={words}>
      <button type="button" class="skip" onClick={skipToContent}>
        {words.say("skip")}
      </button>
      <div class="frame">
        <header class="side">
          <a class="brand" href={toHash("overview")}>
            <img src={new URL("./icon.svg", import.meta.url).href} alt="" width="28" height="28" />
            <span>knowledge-server</span>
          </a>
          <nav aria-label="knowledge-server">
            {pages.map((name) => (
              <a key={name} href={toHash(name)} aria-current={name === page ? "page" : undefined}>
                <Icon name={ICONS[name]} />
                <span>{words.say(name)}</span>
              </a>
            ))}
          </nav>
          <Preferences onLanguage={() => setLanguage(language === "en" ? "ja" : "en")} />
        </header>
        <main id="content" tabIndex={-1}>
          <OfferedContext.Provider value={offered}>
            {locked ? <Login onDone={() => setLocked(false)} /> : <View route={route} />}
          </OfferedContext.Provider>
        </main>
      </div>
    </SpeechContext.Provider>
  );
}

/** A link to #content would name another page: the hash is the route. */
function skipToContent(): void {
  document.getElementById("content")?.focus();
}

const THEMES = {
  auto: { icon: "contrast", word: "themeAuto" },
  light: { icon: "sun", word: "themeLight" },
  dark: { icon: "moon", word: "themeDark" },
} as const;

function Preferences({ onLanguage }: { onLanguage: () => void }) {
  const [theme, setTheme] = useTheme();
  return (
    <SpeechContext.Consumer>
      {({ say }) => (
        <div class="preferences">
          <button type="button" class="quiet" onClick={onLanguage}>
            <Icon name="globe" />
            <span>{say("language")}</span>
          </button>
          <button type="button" class="quiet" onClick={() => setTheme(nextTheme(theme))}>
            <Icon name={THEMES[theme].icon} />
            <span>{say(THEMES[theme].word)}</span>
          </button>
          {token.get() && (
            <button
              type="button"
              class="quiet"
              onClick={() => {
                token.clear();
                dispatchEvent(new Event("token-needed"));
              }}
            >
              <Icon name="out" />
              <span>{say("signOut")}</span>
            </button>
          )}
        </div>
      )}
    </SpeechContext.Consumer>
  );
}
