// Sites and repositories that are kept in sync: what, where, when, how the last sync ended, and what it failed on.
import { useState } from "preact/hooks";
import type { ItemFailure } from "../../../domain/source.ts";
import type { ShownSource } from "../../../tools/operations.ts";
import { Button } from "../parts/button.tsx";
import { Collapsible } from "../parts/collapsible.tsx";
import { ConfirmRemoval, type Fields, FormDialog, useAttempt } from "../parts/dialog.tsx";
import { Empty, Failed, Problem } from "../parts/notices.tsx";
import { RelativeDate } from "../parts/relative-date.tsx";
import { ScopeField } from "../parts/scopes.tsx";
import { Tiles } from "../parts/tiles.tsx";
import { formatDate, formatDuration, useI18n } from "../state/language.ts";
import { api, CallFailed } from "../state/mcp.ts";
import { useOffers } from "../state/offered-tools.ts";
import { toPath } from "../state/route.ts";
import type { MessageKey } from "../state/translations.ts";
import { useApi, useLive } from "../state/use-live.ts";

const PATH = "/api/sources";
const EVERY_MS = 2_000;

export function Sources() {
  const { t } = useI18n();
  const [isAdding, setAdding] = useState(false);
  const {
    data: read,
    error,
    refresh,
  } = useApi<{ sources: readonly ShownSource[] }>(PATH, EVERY_MS);
  const data = read?.sources;
  const offers = useOffers("knowledge-add");
  const add = <Button text={t("addSource")} onClick={() => setAdding(true)} />;
  const done = () => {
    setAdding(false);
    refresh();
  };
  return (
    <>
      <div class="row between">
        <h1>{t("sources")}</h1>
        {offers && data && data.length > 0 && add}
      </div>
      {error && <Failed reason={error} onRetry={refresh} />}
      {data?.length === 0 && (
        <Empty icon="again" title={t("noSources")} text={t("noSourcesHint")}>
          {offers && add}
        </Empty>
      )}
      {data?.map((source) => (
        <SourceCard key={source.id} source={source} onChange={refresh} />
      ))}
      {isAdding && <SourceForm onClose={() => setAdding(false)} onAdded={done} />}
    </>
  );
}

interface CardProps {
  readonly source: ShownSource;
  readonly onChange: () => void;
}

function SourceCard({ source, onChange }: CardProps) {
  const { t, sayMessage } = useI18n();
  const { id, kind, address, progress, lastRun, failed } = source;
  return (
    <section class="card" aria-label={address}>
      <div class="row between">
        <h2>
          <Address address={address} /> <span class="badge">{t(KINDS[kind])}</span>{" "}
          <State source={source} />
        </h2>
        <SourceActions source={source} onChange={onChange} />
      </div>
      {progress && (
        <p class="row">
          <progress max={1} value={progress.fraction} aria-label={t("syncing")} />
          <span class="muted small">{t("itemsSoFar", progress.found)}</span>
        </p>
      )}
      <Facts source={source} />
      {lastRun?.problem && <p class="notice">{sayMessage(lastRun.problem)}</p>}
      {failed > 0 && (
        <Collapsible class="fold" summary={t("failedCount", failed)}>
          {() => <Failures id={id} />}
        </Collapsible>
      )}
    </section>
  );
}

function Address({ address }: Pick<ShownSource, "address">) {
  if (!/^https?:/i.test(address)) return <>{address}</>;
  return (
    <a href={address} target="_blank" rel="noreferrer">
      {address.replace(/^https?:\/\//, "")}
    </a>
  );
}

function Facts({ source }: Pick<CardProps, "source">) {
  const { t, language } = useI18n();
  const { settings, lastRun, nextRun, isPaused, items } = source;
  const { everySeconds, scope } = settings;
  const every = everySeconds && formatDuration(everySeconds * 1_000, language);
  const facts = [
    [t("sourceItems"), items.toLocaleString(language)],
    [t("schedule"), every ? t("everyTime", every) : t("onlyWhenAsked")],
    [t("lastSync"), lastRun ? <RelativeDate iso={lastRun.finishedAt} /> : t("never")],
    [t("nextSync"), (!isPaused && formatDate(nextRun, language)) || "–"],
    ...(scope ? [[t("toScope"), <a href={toPath("scopes", scope)}>{scope}</a>] as const] : []),
  ] as const;
  return (
    <>
      <Tiles class="facts" tiles={facts} />
      {lastRun && (
        <p class="muted small">
          {t("syncCounts", lastRun.added, lastRun.unchanged, lastRun.removed)}
        </p>
      )}
    </>
  );
}

const KINDS: Readonly<Record<ShownSource["kind"], MessageKey>> = {
  folder: "aFolder",
  site: "aSite",
  git: "aGit",
  s3: "aBucket",
  export: "anExport",
};

function State({ source: { task, isPaused, lastRun, failed } }: { source: ShownSource }) {
  const { t } = useI18n();
  const [look, text] = ((): readonly [string, string] => {
    if (task !== undefined) return ["", t("syncing")];
    if (isPaused) return ["fair", t("isPaused")];
    if (lastRun === undefined) return ["", t("queued")];
    if (lastRun.problem !== undefined) return ["bad", t("hasProblem")];
    return failed > 0 ? ["fair", t("failedCount", failed)] : ["good", t("upToDate")];
  })();
  return <span class={`badge ${look}`}>{text}</span>;
}

function Failures({ id }: { readonly id: string }) {
  const { t, explain } = useI18n();
  const { data, error, refresh } = useLive(
    (signal) =>
      api<{ failures: readonly ItemFailure[] }>(`${PATH}/failures`, { body: { id }, signal }),
    0,
    [id],
  );
  if (error) return <Failed reason={error} onRetry={refresh} />;
  if (!data) return <p aria-busy="true">{t("loading")}</p>;
  return (
    <ul class="tasks">
      {data.failures.map((failure) => (
        <li key={failure.item}>
          <span class="grow">{failure.item}</span>
          <span class="note small">{explain(new CallFailed(failure.message, { ...failure }))}</span>
        </li>
      ))}
    </ul>
  );
}

function SourceActions({ source, onChange }: CardProps) {
  const { t } = useI18n();
  const { id, address, isPaused, mayChange, mayRemove, task } = source;
  const [asks, setAsks] = useState(false);
  const { problem, attempt } = useAttempt();
  const send = (act: string, body: object = {}) =>
    api(`${PATH}/${act}`, { body: { id, ...body } }).then(onChange);
  const button = (word: MessageKey, onClick: () => void, disabled = false) => (
    <Button
      class="quiet"
      text={t(word)}
      aria-label={`${t(word)}: ${address}`}
      disabled={disabled}
      onClick={onClick}
    />
  );
  const act =
    (...sent: Parameters<typeof send>) =>
    () =>
      void attempt(() => send(...sent));
  const isTimed = source.settings.everySeconds !== undefined || isPaused;
  return (
    <span class="row">
      <Problem text={problem} />
      {mayChange && button("syncNow", act("sync"), task !== undefined)}
      {mayChange &&
        isTimed &&
        button(isPaused ? "resume" : "pause", act("pause", { isPaused: !isPaused }))}
      {mayRemove && button("remove", () => setAsks(true))}
      {asks && <RemoveSource address={address} onSend={send} onClose={() => setAsks(false)} />}
    </span>
  );
}

interface RemoveProps extends Pick<ShownSource, "address"> {
  readonly onSend: (act: "remove", body: object) => Promise<void>;
  readonly onClose: () => void;
}

function RemoveSource({ address, onSend, onClose }: RemoveProps) {
  const { t } = useI18n();
  return (
    <ConfirmRemoval
      title={t("removeSource")}
      text={t("removeSourceText", address)}
      onConfirm={({ documents }) =>
        onSend("remove", { documents: documents === "on" }).then(onClose)
      }
      onClose={onClose}
    >
      <label class="inline">
        <input type="checkbox" name="documents" />
        {t("removeItsDocuments")}
      </label>
    </ConfirmRemoval>
  );
}

/** In seconds. */
const INTERVALS = [3_600, 21_600, 86_400, 604_800] as const;

interface FormProps {
  readonly onClose: () => void;
  readonly onAdded: () => void;
}

function SourceForm({ onClose, onAdded }: FormProps) {
  const { t, language } = useI18n();
  const add = async ({ address, every, scope, include }: Fields) => {
    const globs = (include ?? "").split(/[\s,、]+/).filter(Boolean);
    const settings = {
      ...(every && { everySeconds: Number(every) }),
      ...(scope && { scope }),
      ...(globs.length > 0 && { include: globs }),
    };
    await api(`${PATH}/add`, { body: { address, ...settings } });
    onAdded();
  };
  return (
    <FormDialog title={t("addSource")} submit={t("add")} onClose={onClose} onSubmit={add}>
      <label>
        {t("sourceAddress")}
        <input name="address" required maxLength={2_048} placeholder="https://" />
      </label>
      <label>
        {t("schedule")}
        <select name="every">
          <option value="">{t("onlyWhenAsked")}</option>
          {INTERVALS.map((seconds) => (
            <option key={seconds} value={seconds} selected={seconds === 86_400}>
              {t("everyTime", formatDuration(seconds * 1_000, language))}
            </option>
          ))}
        </select>
      </label>
      <ScopeField name="scope" />
      <label>
        {t("onlyPaths")}
        <input name="include" placeholder="docs/** *.md" maxLength={1_000} />
      </label>
    </FormDialog>
  );
}
