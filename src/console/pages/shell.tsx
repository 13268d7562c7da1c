// The frame around every page: navigation, shortcuts, sign-in.
import type { ComponentType } from "preact";
import { useCallback, useLayoutEffect, useState } from "preact/hooks";
import { Access } from "./access/access.tsx";
import { CheckPage } from "./check/check.tsx";
import { Connect } from "./connect/connect.tsx";
import { DocumentPage, Documents } from "./documents/documents.tsx";
import { openRemovalQueue, type RemovalQueue, RemovalToast } from "./documents/removals.tsx";
import {
  Navigation,
  offeredPages,
  PAGES,
  type PageName,
  type Theme,
  useTheme,
} from "./navigation.tsx";
import { Overview } from "./overview/overview.tsx";
import { Button, Icon, type IconName, Problem } from "./parts/parts.tsx";
import { Scopes } from "./scopes/scopes.tsx";
import { SearchOverlay } from "./search/overlay.tsx";
import type { Option } from "./search/overlay-options.ts";
import { SearchPage } from "./search/search.tsx";
import { useSearchKeys } from "./search/search-keys.ts";
import { Settings } from "./settings/settings.tsx";
import { Sources } from "./sources/sources.tsx";
import { explain, languageNow, t, useLanguage } from "./state/language.ts";
import { request, stopViewing, TokenNeeded, token, viewedAs } from "./state/mcp.ts";
import { OfferedContext, type ToolRow } from "./state/offered-tools.ts";
import { navigate, type Route, toPath, useRoute } from "./state/route.ts";
import { useLive } from "./state/use-live.tsx";
import { type UploadQueue, useUploadQueue } from "./uploads/upload-queue.ts";
import { UploadTray } from "./uploads/upload-tray.tsx";

interface PageProps {
  readonly route: Route;
  readonly uploads: UploadQueue;
  readonly removals: RemovalQueue;
}

const VIEWS: Record<PageName, ComponentType<PageProps>> = {
  overview: Overview,
  documents: ({ route, ...queues }) =>
    route.id ? <DocumentPage id={route.id} route={route} /> : <Documents {...queues} />,
  search: SearchPage,
  scopes: Scopes,
  sources: Sources,
  access: Access,
  check: CheckPage,
  connect: Connect,
  settings: Settings,
};

export function Shell() {
  const other = useLanguage();
  const locked = useLock();
  const route = useRoute();
  const { offered, pages, page } = usePage(route, locked.is);
  const View = page === undefined ? NotFound : VIEWS[page];
  const isOpen = !locked.is && offered !== undefined && pages.includes("documents");
  const uploads = useUploadQueue(isOpen);
  const [removals] = useState(openRemovalQueue);

  const theme = useTheme();
  // A new page starts at its top, as if it were a new file. Before it is painted: later, somebody may have scrolled.
  useLayoutEffect(() => scrollTo(0, 0), [page, route.id]);
  useLayoutEffect(() => {
    document.title = `${t(page ? PAGES[page].title : "Page not found")} · knowledge-server`;
  }, [page, route.id, languageNow()]);

  return (
    <OfferedContext.Provider value={offered}>
      <button type="button" class="skip" onClick={skipToContent}>
        {t("Skip to content")}
      </button>
      <div class={locked.is ? undefined : "frame"}>
        {!locked.is && <Navigation {...{ pages, theme }} current={page} onLanguage={other} />}
        <main id="content" tabIndex={-1}>
          <Viewing />
          {locked.is ? (
            <Login onDone={locked.open} onLanguage={other} />
          ) : (
            <View {...{ route, uploads, removals }} />
          )}
        </main>
      </div>
      {isOpen && <UploadTray queue={uploads} />}
      <RemovalToast queue={removals} />
      <Palette {...{ pages, theme, other }} />
    </OfferedContext.Provider>
  );
}

/** Opened by a key. */
function Palette(parts: CommandParts) {
  const [isOpen, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  useSearchKeys(parts.pages.includes("search"), setOpen);
  return isOpen ? <SearchOverlay commands={commandsOf(parts)} onClose={close} /> : null;
}

interface CommandParts {
  readonly pages: readonly PageName[];
  readonly theme: Theme;
  readonly other: () => void;
}

/** What the palette opens and does beside searching. */
function commandsOf(parts: CommandParts): readonly Option[] {
  const { pages, theme, other } = parts;
  const act = (id: string, icon: IconName, text: string, run: () => void) => ({
    ...{ id: `act-${id}`, icon, text, run },
  });
  return [
    ...pages.map((name) =>
      act(name, PAGES[name].icon, t("Go to {0}", t(PAGES[name].title)), () =>
        navigate(toPath(name)),
      ),
    ),
    ...(pages.includes("documents")
      ? [act("add", "upload", t("Add documents"), () => navigate(toPath("documents")))]
      : []),
    act("theme", theme.icon, t("Change the theme"), theme.change),
    act("language", "globe", t("日本語"), other),
  ];
}

/** The page that the address names, if this server offers it. */
function usePage(route: Route, locked: boolean) {
  const { data: offered } = useLive(
    async (signal) => (await request<{ tools: ToolRow[] }>("tools/list", {}, signal)).tools,
    0,
    [locked],
  );
  const pages = offeredPages(offered);
  const page = route.page === "" ? pages[0] : pages.find((name) => name === route.page);
  return { offered, pages, page };
}

/** Whether the server requires a token that this tab does not have. */
function useLock(): { readonly is: boolean; readonly open: () => void } {
  const [is, setIs] = useState(false);
  useLayoutEffect(() => {
    const lock = () => setIs(true);
    addEventListener("token-needed", lock);
    return () => removeEventListener("token-needed", lock);
  }, []);
  return { is, open: () => setIs(false) };
}

/** Also above the sign-in: a temporary token ends before the person's own. */
function Viewing() {
  const name = viewedAs();
  if (name === undefined) return null;
  return (
    <div class="notice" role="status">
      <p>{t("You see what {0} sees.", name)}</p>
      <Button class="outline" text={t("Stop")} onClick={stopViewing} />
    </div>
  );
}

/** By a button, so that the address stays that of the page. */
function skipToContent(): void {
  document.getElementById("content")?.focus();
}

/** Shown for an address that names no page, or a page that this server does not offer. */
function NotFound() {
  return (
    <section class="card empty">
      <Icon name="search" />
      <h1>{t("Page not found")}</h1>
      <p>
        {t(
          "There is nothing at “{0}”. The link may be old, or this server does not have that page.",
          location.pathname,
        )}
      </p>
      <a class="button" href={toPath("")}>
        {t("Go to the start page")}
      </a>
    </section>
  );
}

interface LoginProps {
  readonly onDone: () => void;
  readonly onLanguage: () => void;
}

function Login({ onDone, onLanguage }: LoginProps) {
  const [problem, setProblem] = useState("");
  const [value, setValue] = useState("");

  const submit = async (event: Event) => {
    event.preventDefault();
    token.set(value.trim());
    try {
      await request("ping", {});
      onDone();
    } catch (thrown) {
      token.clear();
      setProblem(
        thrown instanceof TokenNeeded ? t("The server refused this token.") : explain(thrown),
      );
    }
  };
  return (
    <form class="card login" onSubmit={submit}>
      <h1>{t("Sign in")}</h1>
      <p>{t("This server requires a token. Ask whoever runs it for yours.")}</p>
      <label>
        {t("Access token")}
        <input
          type="password"
          autocomplete="current-password"
          value={value}
          onInput={(event) => setValue(event.currentTarget.value)}
          required
        />
      </label>
      <Problem text={problem} />
      <button type="submit">{t("Sign in")}</button>
      <Button class="quiet" icon="globe" text={t("日本語")} onClick={onLanguage} />
    </form>
  );
}
