import { useState } from "preact/hooks";
import type { ExplainedView, ScopeRow, ScopesView } from "../../../tools/scopes/contract.ts";
import { Confirm } from "../parts/dialog.tsx";
import { Markdown } from "../parts/markdown.tsx";
import { useSpeech } from "../state/language.ts";
import { useLive } from "../state/live.ts";
import { call, readJson } from "../state/mcp.ts";
import { type Route, toHash } from "../state/route.ts";
import { EntryForm, ScopeForm } from "./scope-forms.tsx";

export function Scopes({ route }: { route: Route }) {
  const { say } = useSpeech();
  const [adding, setAdding] = useState(false);
  const { data, error, refresh } = useLive(
    (signal) => readJson<ScopesView>("knowledge://scopes", signal),
    3_000,
  );
  const scopes = data?.scopes ?? [];
  return (
    <>
      <div class="row between">
        <h1>{say("scopes")}</h1>
        <button type="button" onClick={() => setAdding(true)}>
          {say("newScope")}
        </button>
      </div>
      {error && <p class="problem">{say("failed", error)}</p>}
      {data && scopes.length === 0 && (
        <section class="card hint">
          <h2>{say("noScopes")}</h2>
          <p>{say("noScopesHint")}</p>
        </section>
      )}
      <div class="split">
        <nav aria-label={say("scopes")} class="tree">
          <ScopeTree scopes={scopes} selected={route.id} />
        </nav>
        {route.id ? (
          <ScopeDetail key={route.id} id={route.id} onChange={refresh} />
        ) : (
          scopes.length > 0 && <p class="muted">{say("chooseScope")}</p>
        )}
      </div>
      {adding && (
        <ScopeForm
          scopes={scopes}
          onClose={() => setAdding(false)}
          onSaved={(id) => {
            setAdding(false);
            refresh();
            location.hash = toHash("scopes", id);
          }}
        />
      )}
    </>
  );
}

interface TreeProps {
  readonly scopes: readonly ScopeRow[];
  readonly selected: string | undefined;
  readonly parent?: string;
}

function ScopeTree({ scopes, selected, parent }: TreeProps) {
  const known = new Set(scopes.map((scope) => scope.id));
  const children = scopes.filter((scope) =>
    parent === undefined ? !scope.parent || !known.has(scope.parent) : scope.parent === parent,
  );
  if (children.length === 0) return null;
  return (
    <ul>
      {children.map((scope) => (
        <li key={scope.id}>
          <a
            href={toHash("scopes", scope.id)}
            aria-current={scope.id === selected ? "true" : undefined}
          >
            {scope.id} <span class="badge">{scope.tier}</span>
          </a>
          <ScopeTree scopes={scopes} selected={selected} parent={scope.id} />
        </li>
      ))}
    </ul>
  );
}

function ScopeDetail({ id, onChange }: { id: string; onChange: () => void }) {
  const { say } = useSpeech();
  const [editing, setEditing] = useState<ExplainedView["entries"][number] | "new">();
  const [leaving, setLeaving] = useState<ExplainedView["entries"][number] | "scope">();
  const [problem, setProblem] = useState("");
  const {
    data: view,
    error,
    refresh,
  } = useLive(
    (signal) =>
      readJson<ExplainedView>(`knowledge://explained-scopes/${encodeURIComponent(id)}`, signal),
    3_000,
    [id],
  );
  const remove = async () => {
    try {
      if (leaving === "scope") {
        await call("knowledge-scope-remove", { scope_id: id, confirm: true });
        location.hash = toHash("scopes");
      } else if (leaving) {
        await call("knowledge-entry-remove", {
          scope_id: id,
          category: leaving.category,
          keyword: leaving.keyword,
        });
      }
    } catch (thrown) {
      setProblem(thrown instanceof Error ? thrown.message : String(thrown));
    }
    setLeaving(undefined);
    refresh();
    onChange();
  };
  if (error && !view) return <p class="problem">{say("failed", error)}</p>;
  if (!view) return <p aria-busy="true">{say("loading")}</p>;
  const parents = view.chain.slice(1).map((scope) => scope.id);
  return (
    <section aria-labelledby="scope-name">
      <div class="row between">
        <h2 id="scope-name">
          {view.scope.id} <span class="badge">{view.scope.tier}</span>
        </h2>
        <div class="row">
          <button type="button" onClick={() => setEditing("new")}>
            {say("newRule")}
          </button>
          <button type="button" class="quiet" onClick={() => setLeaving("scope")}>
            {say("remove")}
          </button>
        </div>
      </div>
      {view.scope.description && <p>{view.scope.description}</p>}
      {parents.length > 0 && (
        <p class="muted">
          {say("inherits")}: {parents.join(" › ")}
        </p>
      )}
      {problem && <p class="problem">{problem}</p>}
      <Rules view={view} onEdit={setEditing} onRemove={setLeaving} />
      {editing && (
        <EntryForm
          scopeId={id}
          categories={view.categories}
          entry={editing === "new" ? undefined : editing}
          onClose={() => setEditing(undefined)}
          onSaved={() => {
            setEditing(undefined);
            refresh();
            onChange();
          }}
        />
      )}
      {leaving && (
        <Confirm
          title={say(leaving === "scope" ? "removeScope" : "removeRule")}
          text={
            leaving === "scope"
              ? say("removeScopeText", id)
              : say("removeRuleText", leaving.keyword)
          }
          action={say("remove")}
          cancel={say("cancel")}
          onConfirm={remove}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </section>
  );
}

interface RulesProps {
  readonly view: ExplainedView;
  readonly onEdit: (entry: ExplainedView["entries"][number]) => void;
  readonly onRemove: (entry: ExplainedView["entries"][number]) => void;
}

function Rules({ view, onEdit, onRemove }: RulesProps) {
  const { say } = useSpeech();
  return (
    <>
      {view.categories.map(({ name, description }) => (
        <section key={name} class="card" aria-label={name}>
          <h3>{name}</h3>
          {description && <p class="muted">{description}</p>}
          <ul class="rules">
            {view.entries
              .filter((entry) => entry.category === name)
              .map((entry) => (
                <li key={entry.keyword}>
                  <div class="row between">
                    <strong>{entry.keyword}</strong>
                    <span class="row">
                      <span class="badge">
                        {entry.source_scope === view.scope.id ? say("own") : entry.source_scope}
                      </span>
                      <button
                        type="button"
                        class="quiet"
                        aria-label={`${say("edit")} ${entry.keyword}`}
                        onClick={() => onEdit(entry)}
                      >
                        {say("edit")}
                      </button>
                      {entry.source_scope === view.scope.id && (
                        <button
                          type="button"
                          class="quiet"
                          aria-label={`${say("remove")} ${entry.keyword}`}
                          onClick={() => onRemove(entry)}
                        >
                          {say("remove")}
                        </button>
                      )}
                    </span>
                  </div>
                  <Markdown text={entry.content} level={4} />
                  {entry.overridden.map((loser) => (
                    <details key={loser.scope} class="muted">
                      <summary>{say("overrides", `${loser.scope} (${loser.tier})`)}</summary>
                      <p class="snippet">
                        <s>{loser.content}</s>
                      </p>
                    </details>
                  ))}
                </li>
              ))}
          </ul>
        </section>
      ))}
    </>
  );
}
