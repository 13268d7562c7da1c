import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { GENERAL_SCOPE } from "../../../domain/call/grants.ts";
import type { DocumentRow } from "../../../tools/documents/contract.ts";
import type { ExplainedView, ScopeRow } from "../../../tools/scopes/contract.ts";
import { callersOf, keyOf, useAccess } from "../access/access.tsx";
import { Button } from "../parts/button.tsx";
import { Empty, Failed } from "../parts/notices.tsx";
import { parentsOf, rightsOf } from "../parts/scopes.tsx";
import { useI18n } from "../state/language.ts";
import { call, readJson } from "../state/mcp.ts";
import { useOffers } from "../state/offered-tools.ts";
import { toPath } from "../state/route.ts";
import { useLive } from "../state/use-live.ts";
import { EntryForm } from "./forms.tsx";
import { dragProps, type Moving } from "./move.tsx";
import { RemoveRule, RemoveScope } from "./remove.tsx";
import { type RuleAct, Rules } from "./rules.tsx";

interface DetailProps {
  readonly id: string;
  readonly scopes: readonly ScopeRow[];
  readonly onChange: () => void;
  readonly onMove: (moving: Moving) => void;
}

/** The dialog that is open. */
type Act = RuleAct | { readonly kind: "add" } | { readonly kind: "remove-scope" };

export function ScopeDetail(props: DetailProps) {
  const { t } = useI18n();
  const { id, scopes } = props;
  if (id !== GENERAL_SCOPE || scopes.some((scope) => scope.id === id))
    return <ScopeWithRules {...props} />;
  return (
    <section aria-labelledby="scope-name">
      <h2 id="scope-name">{id}</h2>
      <p>{t("generalText")}</p>
      <Beside {...props}>
        <Empty icon="tree" title={t("noRules")} text={t("noRulesHint", id)} />
      </Beside>
    </section>
  );
}

function ScopeWithRules(props: DetailProps) {
  const { id, scopes, onChange, onMove } = props;
  const { t } = useI18n();
  const [act, setAct] = useState<Act>();
  const { data, error, refresh } = useLive(
    (signal) =>
      readJson<ExplainedView>(`knowledge://explained-scopes/${encodeURIComponent(id)}`, signal),
    3_000,
    [id],
  );
  if (error && !data) return <Failed reason={error} onRetry={refresh} />;
  if (!data) return <p aria-busy="true">{t("loading")}</p>;
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
          <Empty icon="tree" title={t("noRules")} text={t("noRulesHint", id)}>
            <Button text={t("addFirstRule")} onClick={() => setAct({ kind: "add" })} />
          </Empty>
        ) : (
          <Rules view={data} onAct={setAct} />
        )}
      </Beside>
      {act && <Acting act={act} view={data} scopes={scopes} onDone={done} />}
    </section>
  );
}

interface HeadProps extends Pick<DetailProps, "onMove"> {
  readonly view: ExplainedView;
  readonly onAct: (act: Act) => void;
}

function ScopeHead({ view: { scope, chain }, onAct, onMove }: HeadProps) {
  const { t } = useI18n();
  const { id, parent = "" } = scope;
  const move = () => onMove({ kind: "scope", id, name: id, from: parent });
  return (
    <>
      <div class="row between">
        <h2 id="scope-name">
          {id} <span class="badge">{scope.tier}</span>
        </h2>
        <div class="row">
          <Button text={t("newRule")} onClick={() => onAct({ kind: "add" })} />
          <Button class="quiet" text={t("move")} onClick={move} />
          <Button
            class="quiet"
            text={t("remove")}
            onClick={() => onAct({ kind: "remove-scope" })}
          />
        </div>
      </div>
      {scope.description && <p>{scope.description}</p>}
      {chain.length > 1 && (
        <p class="muted">
          {t("inherits")}:{" "}
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
  const { t } = useI18n();
  const { data } = useLive(
    (signal) => call("knowledge-show", { scope: id, limit: LOOKED_AT }, signal),
    5_000,
    [id],
  );
  const offers = useOffers("knowledge-add");
  if (!data) return null;
  const own = data.documents.filter(({ scope = GENERAL_SCOPE }) => scope === id);
  return (
    <section class="card" aria-label={t("documents")}>
      <div class="row between">
        <h3>{t("documents")}</h3>
        {offers && <a href={toPath("documents", "", { scope: id })}>{t("add")}</a>}
      </div>
      {own.length === 0 && <p class="muted">{t("noneOfScope")}</p>}
      <ul class="tasks">
        {own.slice(0, SHOWN).map((row) => (
          <OwnDocument key={row.id} row={row} scope={id} onMove={offers ? onMove : undefined} />
        ))}
      </ul>
      {own.length > SHOWN && <p class="muted small">{t("andMore", own.length - SHOWN)}</p>}
    </section>
  );
}

interface OwnDocumentProps {
  readonly row: DocumentRow;
  readonly scope: string;
  readonly onMove: DetailProps["onMove"] | undefined;
}

function OwnDocument({ row: { id, filename }, scope, onMove }: OwnDocumentProps) {
  const { t } = useI18n();
  const moving = { kind: "document", id, name: filename, from: scope } as const;
  return (
    <li {...(onMove ? dragProps(moving) : {})}>
      <a class="grow" href={toPath("documents", id)} draggable={false}>
        {filename}
      </a>
      {onMove && (
        <Button
          class="quiet small"
          text={t("move")}
          aria-label={`${t("move")}: ${filename}`}
          onClick={() => onMove(moving)}
        />
      )}
    </li>
  );
}

/** For administrators; nothing on a server without tokens. */
function SeenBy({ id, scopes }: DetailProps) {
  const { t } = useI18n();
  const { data } = useAccess(0);
  const parents = parentsOf(scopes);
  const seeing = callersOf(data)
    .map((caller) => ({ caller, here: rightsOf(caller.rights, parents)(id) }))
    .filter(({ here }) => here.length > 0);
  if (seeing.length === 0) return null;
  return (
    <section class="card" aria-label={t("seenBy")}>
      <h3>{t("seenBy")}</h3>
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
