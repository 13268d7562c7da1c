import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { GENERAL_SCOPE } from "../../../domain/call/grants.ts";
import type { DocumentRow } from "../../../tools/documents/contract.ts";
import type { ExplainedView, ScopeRow } from "../../../tools/scopes/contract.ts";
import { callersOf, keyOf, useAccess } from "../access/access.tsx";
import { ConfirmRemoval, Dialog } from "../parts/dialog.tsx";
import { Button, Empty } from "../parts/parts.tsx";
import { parentsOf, rightsOf } from "../parts/scopes.tsx";
import { t } from "../state/language.ts";
import { call, readJson } from "../state/mcp.ts";
import { useOffers } from "../state/offered-tools.ts";
import { navigate, toPath } from "../state/route.ts";
import { useLive } from "../state/use-live.tsx";
import { EntryForm } from "./forms.tsx";
import { dragProps, type Moving } from "./move.tsx";
import { type RuleAct, Rules, type ShownRule } from "./rules.tsx";

interface DetailProps {
  readonly id: string;
  readonly scopes: readonly ScopeRow[];
  readonly onChange: () => void;
  readonly onMove: (moving: Moving) => void;
}

/** The dialog that is open. */
type Act = RuleAct | { readonly kind: "add" } | { readonly kind: "remove-scope" };

export function ScopeDetail(props: DetailProps) {
  const { id, scopes } = props;
  if (id !== GENERAL_SCOPE || scopes.some((scope) => scope.id === id))
    return <ScopeWithRules {...props} />;
  return (
    <section aria-labelledby="scope-name">
      <h2 id="scope-name">{id}</h2>
      <p>
        {t(
          "Documents belong here unless another scope is named. Everybody who may search finds them.",
        )}
      </p>
      <Beside {...props}>
        <NoRules id={id} />
      </Beside>
    </section>
  );
}

function ScopeWithRules(props: DetailProps) {
  const { id, scopes, onChange, onMove } = props;
  const [act, setAct] = useState<Act>();
  const { data, failed, refresh } = useLive(
    (signal) =>
      readJson<ExplainedView>(`knowledge://explained-scopes/${encodeURIComponent(id)}`, signal),
    3_000,
    [id],
  );
  if (failed && !data) return failed;
  if (!data) return <p aria-busy="true">{t("Loading…")}</p>;
  const done = () => {
    setAct(undefined);
    refresh();
    onChange();
  };
  return (
    <section aria-labelledby="scope-name">
      <ScopeHead view={data} onAct={setAct} onMove={onMove} />
      <Beside {...props}>
        {data.entries.length === 0 ? (
          <NoRules id={id}>
            <Button text={t("Add the first rule")} onClick={() => setAct({ kind: "add" })} />
          </NoRules>
        ) : (
          <Rules view={data} onAct={setAct} />
        )}
      </Beside>
      {act && <Acting act={act} view={data} scopes={scopes} onDone={done} />}
    </section>
  );
}

function NoRules({ id, children }: { readonly id: string; readonly children?: ComponentChildren }) {
  const text = t(
    "Agents that ask for “{0}” get no rules yet. Add a rule, or drop an AGENTS.md here.",
    id,
  );
  return (
    <Empty icon="tree" title={t("No rules here yet")} text={text}>
      {children}
    </Empty>
  );
}

interface HeadProps extends Pick<DetailProps, "onMove"> {
  readonly view: ExplainedView;
  readonly onAct: (act: Act) => void;
}

function ScopeHead({ view: { scope, chain }, onAct, onMove }: HeadProps) {
  const { id, parent = "" } = scope;
  const move = () => onMove({ kind: "scope", id, name: id, from: parent });
  return (
    <>
      <div class="row between">
        <h2 id="scope-name">
          {id} <span class="badge">{scope.tier}</span>
        </h2>
        <div class="row">
          <Button text={t("New rule")} onClick={() => onAct({ kind: "add" })} />
          <Button class="quiet" text={t("Move")} onClick={move} />
          <Button
            class="quiet"
            text={t("Remove")}
            onClick={() => onAct({ kind: "remove-scope" })}
          />
        </div>
      </div>
      {scope.description && <p>{scope.description}</p>}
      {chain.length > 1 && (
        <p class="muted">
          {t("Inherits from")}:{" "}
          {chain.slice(1).map((each, at) => (
            <span key={each.id}>
              {at > 0 && " › "}
              <a href={toPath("scopes", each.id)}>{each.id}</a>
            </span>
          ))}
        </p>
      )}
    </>
  );
}

function Beside(props: DetailProps & { readonly children: ComponentChildren }) {
  if (!useOffers("knowledge-show")) return <>{props.children}</>;
  return (
    <div class="rules-and-documents">
      <div>{props.children}</div>
      <div>
        <ScopeDocuments {...props} />
        <SeenBy {...props} />
      </div>
    </div>
  );
}

// A list of this many newest documents has those of most scopes.
const LOOKED_AT = 1_000;
const SHOWN = 50;

/** Its own documents, without those it inherits. */
function ScopeDocuments({ id, onMove }: DetailProps) {
  const { data } = useLive(
    (signal) => call("knowledge-show", { scope: id, limit: LOOKED_AT }, signal),
    5_000,
    [id],
  );
  const offers = useOffers("knowledge-add");
  if (!data) return null;
  const own = data.documents.filter(({ scope = GENERAL_SCOPE }) => scope === id);
  return (
    <section class="card" aria-label={t("Documents")}>
      <div class="row between">
        <h3>{t("Documents")}</h3>
        {offers && <a href={toPath("documents", "", { scope: id })}>{t("Add")}</a>}
      </div>
      {own.length === 0 && <p class="muted">{t("No documents here yet.")}</p>}
      <ul class="tasks">
        {own.slice(0, SHOWN).map((row) => (
          <OwnDocument key={row.id} row={row} scope={id} onMove={offers ? onMove : undefined} />
        ))}
      </ul>
      {own.length > SHOWN && <p class="muted small">{t("and {0} more", own.length - SHOWN)}</p>}
    </section>
  );
}

interface OwnDocumentProps {
  readonly row: DocumentRow;
  readonly scope: string;
  readonly onMove: DetailProps["onMove"] | undefined;
}

function OwnDocument({ row: { id, filename }, scope, onMove }: OwnDocumentProps) {
  const moving = { kind: "document", id, name: filename, from: scope } as const;
  return (
    <li {...(onMove ? dragProps(moving) : {})}>
      <a class="grow" href={toPath("documents", id)} draggable={false}>
        {filename}
      </a>
      {onMove && (
        <Button
          class="quiet small"
          text={t("Move")}
          aria-label={`${t("Move")}: ${filename}`}
          onClick={() => onMove(moving)}
        />
      )}
    </li>
  );
}

/** For administrators; nothing on a server without tokens. */
function SeenBy({ id, scopes }: DetailProps) {
  const { data } = useAccess(0);
  const parents = parentsOf(scopes);
  const seeing = callersOf(data)
    .map((caller) => ({ caller, here: rightsOf(caller.rights, parents)(id) }))
    .filter(({ here }) => here.length > 0);
  if (seeing.length === 0) return null;
  return (
    <section class="card" aria-label={t("Who may see it")}>
      <h3>{t("Who may see it")}</h3>
      <ul class="tasks">
        {seeing.map(({ caller, here }) => (
          <li key={keyOf(caller)}>
            <a class="grow" href={toPath("access", keyOf(caller))}>
              {caller.name}
            </a>
            <span class="muted small">{here.map((right) => t(right)).join(" · ")}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ActingProps {
  readonly act: Act;
  readonly view: ExplainedView;
  readonly scopes: readonly ScopeRow[];
  readonly onDone: () => void;
}

function Acting({ act, view, scopes, onDone }: ActingProps) {
  const { id } = view.scope;
  if (act.kind === "remove-scope") return <RemoveScope id={id} scopes={scopes} onDone={onDone} />;
  if (act.kind === "remove") return <RemoveRule scopeId={id} entry={act.entry} onDone={onDone} />;
  const target = act.kind === "edit-there" ? act.entry.source_scope : id;
  const entry = act.kind === "add" ? undefined : act.entry;
  return <EntryForm kind={act.kind} scopeId={target} {...{ view, entry, onDone }} />;
}

interface RemoveRuleProps {
  readonly scopeId: string;
  readonly entry: ShownRule;
  readonly onDone: () => void;
}

function RemoveRule({ scopeId, entry, onDone }: RemoveRuleProps) {
  const { category, keyword, overridden } = entry;
  const text = overridden[0]
    ? t("“{0}” will again be inherited from {1}.", keyword, overridden[0].scope)
    : t("“{0}” is not defined anywhere else, so it will be gone.", keyword);
  const remove = async () => {
    await call("knowledge-entry-remove", { scope_id: scopeId, category, keyword });
    onDone();
  };
  return (
    <ConfirmRemoval
      title={t("Remove this rule?")}
      text={text}
      onConfirm={remove}
      onClose={onDone}
    />
  );
}

interface RemoveScopeProps {
  readonly id: string;
  readonly scopes: readonly ScopeRow[];
  readonly onDone: () => void;
}

function RemoveScope({ id, scopes, onDone }: RemoveScopeProps) {
  const children = scopes.filter((scope) => scope.parent === id);
  if (children.length > 0) return <HasChildren id={id} scopes={children} onDone={onDone} />;
  const rules = scopes.find((scope) => scope.id === id)?.entry_count ?? 0;
  const remove = async () => {
    await call("knowledge-scope-remove", { scope_id: id, confirm: true });
    navigate(toPath("scopes"));
    onDone();
  };
  return (
    <ConfirmRemoval
      title={t("Remove this scope?")}
      text={t("“{0}” and its {1|rule|rules} will be removed.", id, rules)}
      onConfirm={remove}
      onClose={onDone}
    />
  );
}

function HasChildren({ id, scopes, onDone }: RemoveScopeProps) {
  return (
    <Dialog title={t("“{0}” cannot be removed yet", id)} onClose={onDone}>
      <p>
        {t("{0|scope inherits|scopes inherit} from it and must be removed first:", scopes.length)}
      </p>
      <ul class="children">
        {scopes.map((child) => (
          <li key={child.id}>
            <a href={toPath("scopes", child.id)}>{child.id}</a>{" "}
            <span class="badge">{child.tier}</span>{" "}
            <span class="muted">{t("{0|rule|rules}", child.entry_count)}</span>
          </li>
        ))}
      </ul>
      <div class="row end">
        <Button text={t("Close")} onClick={onDone} />
      </div>
    </Dialog>
  );
}
