// Who may do what: the token file's entries, and where in the tree of scopes their rights hold.
import type { AccessView, ListedToken } from "../../../tools/access/contract.ts";
import { useAttempt } from "../parts/dialog.tsx";
import { Button, Card, Empty, Problem } from "../parts/parts.tsx";
import { parentsOf, rightsOf, ScopeTree } from "../parts/scopes.tsx";
import { t } from "../state/language.ts";
import { startViewing } from "../state/mcp.ts";
import { type Route, toPath } from "../state/route.ts";
import { useApi } from "../state/use-live.tsx";

interface Caller extends ListedToken {
  readonly kind: "token" | "group";
}

const ABOUT =
  "Who may read, write and administrate, and in which scopes. A right to read a scope includes what it inherits.";
const NO_TOKENS =
  "Start the server with --token-file, then run: knowledge-server tokens create NAME --rights read";

export function Access({ route }: { route: Route }) {
  const { data, failed } = useAccess(3_000);
  const callers = callersOf(data);
  const chosen = callers.find((each) => keyOf(each) === route.id) ?? callers[0];
  return (
    <>
      <h1>{t("Access")}</h1>
      <p>{t(ABOUT)}</p>
      {failed}
      {data && !chosen && <Empty icon="key" title={t("No tokens yet")} text={t(NO_TOKENS)} />}
      {data && chosen && (
        <div class="split">
          <nav aria-label={t("Tokens")} class="tree">
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
  const { problem, attempt } = useAttempt();
  const { name, kind, rights, until } = caller;
  const view = () => attempt(() => startViewing(name));
  return (
    <Card
      title={name}
      more={kind === "token" && <Button class="outline" text={t("View as")} onClick={view} />}
    >
      <Problem text={problem} />
      <p>
        {rights.map((right) => (
          <code key={right}>{right} </code>
        ))}
      </p>
      {until && <p class="muted">{t("Valid until {0}", until.slice(0, 10))}</p>}
      <ScopeRights scopes={scopes} rights={rights} />
    </Card>
  );
}

function ScopeRights({ scopes, rights }: { scopes: Scopes; rights: readonly string[] }) {
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
