// Who may do what: the token file's entries, and where in the tree of scopes their rights hold.
import type { AccessView, ListedToken } from "../../../tools/access/contract.ts";
import { Button } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { useAttempt } from "../parts/dialog.tsx";
import { Empty, Failed, Problem } from "../parts/notices.tsx";
import { parentsOf, rightsOf, ScopeTree } from "../parts/scopes.tsx";
import { useI18n } from "../state/language.ts";
import { type Route, toPath } from "../state/route.ts";
import { useApi } from "../state/use-live.ts";
import { startViewing } from "../state/view-as.ts";

interface Caller extends ListedToken {
  readonly kind: "token" | "group";
}

export function Access({ route }: { route: Route }) {
  const { t } = useI18n();
  const { data, error, refresh } = useAccess(3_000);
  const callers = callersOf(data);
  const chosen = callers.find((each) => keyOf(each) === route.id) ?? callers[0];
  return (
    <>
      <h1>{t("access")}</h1>
      <p>{t("accessIntro")}</p>
      {error && <Failed reason={error} onRetry={refresh} />}
      {data && !chosen && <Empty icon="key" title={t("noTokens")} text={t("noTokensHint")} />}
      {data && chosen && (
        <div class="split">
          <nav aria-label={t("tokens")} class="tree">
            <ul>
              {callers.map((each) => (
                <li key={keyOf(each)}>
                  <a
                    href={toPath("access", keyOf(each))}
                    aria-current={each === chosen ? "true" : undefined}
                  >
                    {each.name} {each.kind === "group" && <span class="badge">{t("group")}</span>}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <CallerDetail key={keyOf(chosen)} caller={chosen} scopes={data.scopes} />
        </div>
      )}
    </>
  );
}

export const useAccess = (everyMs: number) => useApi<AccessView>("/api/access", everyMs);

export function callersOf(data: AccessView | undefined): readonly Caller[] {
  return [
    ...(data?.tokens ?? []).map((each) => ({ ...each, kind: "token" as const })),
    ...(data?.groups ?? []).map((each) => ({ ...each, kind: "group" as const })),
  ];
}

export function keyOf({ kind, name }: Caller): string {
  return `${kind}:${name}`;
}

type Scopes = AccessView["scopes"];

function CallerDetail({ caller, scopes }: { caller: Caller; scopes: Scopes }) {
  const { t } = useI18n();
  const { problem, attempt } = useAttempt();
  const { name, kind, rights, until } = caller;
  const view = () => attempt(() => startViewing(name));
  return (
    <Card
      title={name}
      more={kind === "token" && <Button class="outline" text={t("viewAs")} onClick={view} />}
    >
      <Problem text={problem} />
      <p>
        {rights.map((right) => (
          <code key={right}>{right} </code>
        ))}
      </p>
      {until && <p class="muted">{t("validUntil", until.slice(0, 10))}</p>}
      <ScopeRights scopes={scopes} rights={rights} />
    </Card>
  );
}

function ScopeRights({ scopes, rights }: { scopes: Scopes; rights: readonly string[] }) {
  const { t } = useI18n();
  const parents = parentsOf(scopes);
  const rightsIn = rightsOf(rights, parents);
  return (
    <ScopeTree
      parents={parents}
      row={(id) => (
        <>
          <span class={rightsIn(id).length === 0 ? "muted" : undefined}>{id}</span>{" "}
          {rightsIn(id).map((right) => (
            <span key={right} class={`badge ${right === "read" ? "good" : "fair"}`}>
              {t(right)}
            </span>
          ))}
        </>
      )}
    />
  );
}
