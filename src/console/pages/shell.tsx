// The frame around every page: navigation, shortcuts, sign-in.
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Connect } from "./connect/connect.tsx";
import { DocumentPage } from "./documents/document.tsx";
import { Documents } from "./documents/documents.tsx";
import { Login } from "./login.tsx";
import { NotFound } from "./not-found.tsx";
import { Overview } from "./overview/overview.tsx";
import { offeredPages, type PageName } from "./page-list.ts";
import { Scopes } from "./scopes/scopes.tsx";
import { SearchPage } from "./search/search.tsx";
import { Side } from "./side.tsx";
import { SpeechContext, useLanguage } from "./state/language.ts";
import { useLive } from "./state/live.ts";
import { request } from "./state/mcp.ts";
import { OfferedContext, type ToolRow } from "./state/offered.ts";
import { type Route, useRoute } from "./state/route.ts";
import { useSearchKeys } from "./state/search-keys.ts";

const VIEWS: Record<PageName, ComponentType<{ route: Route }>> = {
  overview: Overview,
  documents: ({ route }) =>
    route.id ? <DocumentPage id={route.id} route={route} /> : <Documents />,
  search: SearchPage,
  scopes: Scopes,
  connect: Connect,
};

export function Shell() {
  const { words, other } = useLanguage();
  const locked = useLock();
  const route = useRoute();
  const { data: offered } = useLive(
    async (signal) => (await request<{ tools: ToolRow[] }>("tools/list", {}, signal)).tools,
    0,
    [locked.is],
  );
  const pages = offeredPages(offered);
  const page = route.page === "" ? pages[0] : pages.find((name) => name === route.page);
  const View = page === undefined ? NotFound : VIEWS[page];

  useSearchKeys(pages.includes("search"));
  // Another page starts at its top, as it would if it were another file.
  useEffect(() => scrollTo(0, 0), [page, route.id]);
  useEffect(() => {
    document.title = `${words.say(page ?? "notFound")} · knowledge-server`;
  }, [page, words]);

  return (
    <SpeechContext.Provider value={words}>
      <button type="button" class="skip" onClick={skipToContent}>
        {words.say("skip")}
      </button>
      <div class="frame">
        <Side pages={pages} current={page} onLanguage={other} />
        <main id="content" tabIndex={-1}>
          <OfferedContext.Provider value={offered}>
            {locked.is ? <Login onDone={locked.open} /> : <View route={route} />}
          </OfferedContext.Provider>
        </main>
      </div>
    </SpeechContext.Provider>
  );
}

/** Whether the server asks for a token that this tab does not have. */
function useLock(): { readonly is: boolean; readonly open: () => void } {
  const [is, setIs] = useState(false);
  useEffect(() => {
    const lock = () => setIs(true);
    addEventListener("token-needed", lock);
    return () => removeEventListener("token-needed", lock);
  }, []);
  return { is, open: () => setIs(false) };
}

/** A link to #content would name another page: the hash is the route. */
function skipToContent(): void {
  document.getElementById("content")?.focus();
}
