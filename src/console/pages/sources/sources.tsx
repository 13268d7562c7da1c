// Sites and repositories that are kept in sync: what, where, when, how the last sync ended, and what it failed on.
import { useState } from "preact/hooks";
import type { ItemFailure } from "../../../domain/source.ts";
import type { ShownSource } from "../../../tools/operations.ts";
import { ConfirmRemoval, type Fields, FormDialog, useAttempt } from "../parts/dialog.tsx";
import { Button, Collapsible, Empty, Problem, RelativeDate, Tiles } from "../parts/parts.tsx";
import { ScopeField } from "../parts/scopes.tsx";
import {
  explain,
  formatDate,
  formatDuration,
  languageNow,
  sayMessage,
  t,
} from "../state/language.ts";
import { api, CallFailed } from "../state/mcp.ts";
import { useOffers } from "../state/offered-tools.ts";
import { toPath } from "../state/route.ts";
import type { Text } from "../state/texts.ts";
import { useApi, useLive } from "../state/use-live.tsx";

const PATH = "/api/sources";
const EVERY_MS = 2_000;

export function Sources() {
  const [isAdding, setAdding] = useState(false);
  const {
    data: read,
    failed,
    refresh,
  } = useApi<{ sources: readonly ShownSource[] }>(PATH, EVERY_MS);
  const data = read?.sources;
  const offers = useOffers("knowledge-add");
  const add = <Button text={t("Add a source")} onClick={() => setAdding(true)} />;
  const done = () => {
    setAdding(false);
    refresh();
  };
  return (
    <>
      <div class="row between">
        <h1>{t("Sources")}</h1>
        {offers && data && data.length > 0 && add}
      </div>
      {failed}
      {data?.length === 0 && (
        <Empty
          icon="again"
          title={t("No sources yet")}
          text={t(
            "A web site, a git repository or a folder is read once, and then kept up to date: new and changed pages are read again, vanished ones are removed.",
          )}
        >
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
          <progress max={1} value={progress.fraction} aria-label={t("Syncing")} />
          <span class="muted small">{t("{0|item|items} so far", progress.found)}</span>
        </p>
      )}
      <Facts source={source} />
      {lastRun?.problem && <p class="notice">{sayMessage(lastRun.problem)}</p>}
      {failed > 0 && (
        <Collapsible class="fold" summary={t("{0} failed", failed)}>
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
  const { settings, lastRun, nextRun, isPaused, items } = source;
  const { everySeconds, scope } = settings;
  const usual = INTERVALS.get(everySeconds ?? 0);
  const every = everySeconds && t("every {0}", formatDuration(everySeconds * 1_000));
  const facts = [
    [t("Pages or files"), items.toLocaleString(languageNow())],
    [t("Schedule"), (usual ? t(usual) : every) || t("only when asked")],
    [t("Last sync"), lastRun ? <RelativeDate iso={lastRun.finishedAt} /> : t("never")],
    [t("Next sync"), (!isPaused && formatDate(nextRun)) || "–"],
    ...(scope ? [[t("Scope"), <a href={toPath("scopes", scope)}>{scope}</a>] as const] : []),
  ] as const;
  return (
    <>
      <Tiles class="facts" tiles={facts} />
      {lastRun && (
        <p class="muted small">
          {t(
            "Last sync: {0} added, {1} unchanged, {2} removed",
            lastRun.added,
            lastRun.unchanged,
            lastRun.removed,
          )}
        </p>
      )}
    </>
  );
}

const KINDS: Readonly<Record<ShownSource["kind"], Text>> = {
  folder: "folder",
  site: "site",
  git: "git",
  s3: "bucket",
  export: "export",
};

function State({ source: { task, isPaused, lastRun, failed } }: { source: ShownSource }) {
  const [look, text] = ((): readonly [string, string] => {
    if (task !== undefined) return ["", t("Syncing")];
    if (isPaused) return ["fair", t("Paused")];
    if (lastRun === undefined) return ["", t("Queued")];
    if (lastRun.problem !== undefined) return ["bad", t("Problem")];
    return failed > 0 ? ["fair", t("{0} failed", failed)] : ["good", t("Up to date")];
  })();
  return <span class={`badge ${look}`}>{text}</span>;
}

function Failures({ id }: { readonly id: string }) {
  const { data, failed } = useLive(
    (signal) =>
      api<{ failures: readonly ItemFailure[] }>(`${PATH}/failures`, { body: { id }, signal }),
    0,
    [id],
  );
  if (failed) return failed;
  if (!data) return <p aria-busy="true">{t("Loading…")}</p>;
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
  const { id, address, isPaused, mayChange, mayRemove, task } = source;
  const [asks, setAsks] = useState(false);
  const { problem, attempt } = useAttempt();
  const send = (act: string, body: object = {}) =>
    api(`${PATH}/${act}`, { body: { id, ...body } }).then(onChange);
  const button = (word: Text, onClick: () => void, disabled = false) => (
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
      {mayChange && button("Sync now", act("sync"), task !== undefined)}
      {mayChange &&
        isTimed &&
        button(isPaused ? "Resume" : "Pause", act("pause", { isPaused: !isPaused }))}
      {mayRemove && button("Remove", () => setAsks(true))}
      {asks && <RemoveSource address={address} onSend={send} onClose={() => setAsks(false)} />}
    </span>
  );
}

interface RemoveProps extends Pick<ShownSource, "address"> {
  readonly onSend: (act: "remove", body: object) => Promise<void>;
  readonly onClose: () => void;
}

function RemoveSource({ address, onSend, onClose }: RemoveProps) {
  return (
    <ConfirmRemoval
      title={t("Remove this source?")}
      text={t(
        "“{0}” is no longer kept in sync. Its documents stay, unless you remove them too.",
        address,
      )}
      onConfirm={({ documents }) =>
        onSend("remove", { documents: documents === "on" }).then(onClose)
      }
      onClose={onClose}
    >
      <label class="inline">
        <input type="checkbox" name="documents" />
        {t("Also remove its documents")}
      </label>
    </ConfirmRemoval>
  );
}

/** In seconds. */
const INTERVALS = new Map<number, Text>([
  [3_600, "every hour"],
  [21_600, "every 6 hours"],
  [86_400, "every day"],
  [604_800, "every week"],
]);

interface FormProps {
  readonly onClose: () => void;
  readonly onAdded: () => void;
}

function SourceForm({ onClose, onAdded }: FormProps) {
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
    <FormDialog title={t("Add a source")} submit={t("Add")} onClose={onClose} onSubmit={add}>
      <label>
        {t("Address of a site or repository, or a folder on the server")}
        <input name="address" required maxLength={2_048} placeholder="https://" />
      </label>
      <label>
        {t("Schedule")}
        <select name="every">
          <option value="">{t("only when asked")}</option>
          {[...INTERVALS].map(([seconds, text]) => (
            <option key={seconds} value={seconds} selected={seconds === 86_400}>
              {t(text)}
            </option>
          ))}
        </select>
      </label>
      <ScopeField name="scope" />
      <label>
        {t("Only these paths (optional)")}
        <input name="include" placeholder="docs/** *.md" maxLength={1_000} />
      </label>
    </FormDialog>
  );
}
