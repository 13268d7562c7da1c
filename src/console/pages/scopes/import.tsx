// Files with rules, chosen or dropped on the page: previewed, and written when the person confirms.
import { useMemo, useState } from "preact/hooks";
import type { DropReport, RuleDrop, ScopeRow } from "../../../tools/scopes/contract.ts";
import { Dialog, useAttempt } from "../parts/dialog.tsx";
import { Markdown } from "../parts/markdown.tsx";
import { Button, Collapsible, Problem } from "../parts/parts.tsx";
import { sayMessage, t } from "../state/language.ts";
import { api } from "../state/mcp.ts";
import { useLive } from "../state/use-live.tsx";
import { FileButton } from "../uploads/drop-zone.tsx";
import { type NamedFile, useDrop } from "../uploads/dropped-files.ts";
import {
  mayHoldRules,
  needsScope,
  offeredScope,
  type RuleFiles,
  readRuleFiles,
} from "./rule-files.ts";

/** On this page dropped files contain rules. */
export function useRuleDrop(isOffered: boolean, onFiles: (files: RuleFiles) => void): void {
  useDrop({
    on: document,
    isOffered,
    isWanted: mayHoldRules,
    onFiles: (files) => void readRuleFiles(files).then(onFiles),
  });
}

interface Wanted {
  /** The typed scope; undefined until something is typed. */
  readonly scope?: string;
  readonly guides: boolean;
  /** The scope that a new one inherits from; empty for none. */
  readonly parent: string;
}

interface ImportDialogProps {
  readonly files: RuleFiles;
  readonly scopes: readonly ScopeRow[];
  /** The scope on the page. It gets the rules that name no scope, unless the person chooses another. */
  readonly selected: string | undefined;
  readonly onFiles: (files: RuleFiles) => void;
  readonly onClose: () => void;
  readonly onImported: (id: string | undefined) => void;
}

export function ImportDialog(props: ImportDialogProps) {
  const { files, scopes, selected, onFiles, onClose, onImported } = props;
  const [wanted, setWanted] = useState<Wanted>({ guides: false, parent: "" });
  const { problem, attempt } = useAttempt();
  const isNeeded = needsScope(files);
  const offered = offeredScope(files);
  const typed = wanted.scope ?? (isNeeded ? (selected ?? offered) : "");
  const scope = typed.trim();
  const wish = useMemo(() => {
    if (files.length === 0 || (scope === "" && isNeeded)) return undefined;
    const { guides, parent } = wanted;
    return { files, write: false, guides, ...(scope && { scope }), ...(parent && { parent }) };
  }, [files, scope, isNeeded, wanted]);
  const { report: seen, error, isCurrent } = usePreview(wish);
  const write = () =>
    attempt(async () => {
      const report = wish && (await sendDrop({ ...wish, write: true }));
      if (report?.applied) onImported(report.scopes[0]?.id);
    });
  return (
    <Dialog title={t("Import rules")} onClose={onClose}>
      <ChooseRules files={files} onFiles={onFiles} />
      {files.length > 0 && (
        <WhereTo {...{ typed, offered, isNeeded, wanted, scopes }} onWanted={setWanted} />
      )}
      <Problem text={problem || error} />
      {!problem && !error && seen && <Report report={seen} />}
      <div class="row end">
        {files.length > 0 && <Reason seen={isCurrent ? seen : undefined} isNamed={!!wish} />}
        <Button class="quiet" text={t("Cancel")} onClick={onClose} />
        <Button text={t("Import")} disabled={!(isCurrent && hasChanges(seen))} onClick={write} />
      </div>
    </Dialog>
  );
}

interface ReasonProps {
  readonly seen: DropReport | undefined;
  readonly isNamed: boolean;
}

/** Why nothing can be imported. */
function Reason({ seen, isNamed }: ReasonProps) {
  const isSame = seen !== undefined && !hasChanges(seen);
  return (
    <span class="muted small grow" role="status">
      {!isNamed && t("Name the scope first.")}
      {isNamed && isSame && t("There is nothing to change.")}
    </span>
  );
}

function hasChanges(seen: DropReport | undefined): boolean {
  if (seen === undefined || seen.fatal.length > 0) return false;
  return seen.scopes.some(({ outcome }) => outcome === "added" || outcome === "changed");
}

const ACCEPTED = ".md,.markdown,.mdc,.json,.yaml,.yml";

interface ChooseProps {
  readonly files: RuleFiles;
  readonly onFiles: (files: RuleFiles) => void;
}

function ChooseRules({ files, onFiles }: ChooseProps) {
  const take = async (chosen: readonly NamedFile[]) => onFiles(await readRuleFiles(chosen));
  const shared = { class: "outline", onFiles: take } as const;
  return (
    <>
      <p class="muted">
        {t(
          "Drop AGENTS.md, CLAUDE.md, a folder, or a YAML or JSON file of scopes, or choose them here. Nothing is saved until you press Import.",
        )}
      </p>
      <p class="row">
        <FileButton {...shared} icon="upload" text={t("Choose files")} accept={ACCEPTED} />
        <FileButton {...shared} text={t("Choose a folder")} isFolder />
      </p>
      <p role="status">
        {files.length > 0 && t("{0|file|files} to read: {1}", files.length, namesOf(files))}
      </p>
    </>
  );
}

const NAMED = 3;

function namesOf(files: RuleFiles): string {
  const names = files.slice(0, NAMED).map(({ path }) => path);
  return [...names, ...(files.length > NAMED ? ["…"] : [])].join(", ");
}

interface WhereToProps {
  readonly typed: string;
  /** The scope suggested by the folder's or file's name. */
  readonly offered: string;
  readonly isNeeded: boolean;
  readonly wanted: Wanted;
  readonly scopes: readonly ScopeRow[];
  readonly onWanted: (wanted: Wanted) => void;
}

function WhereTo({ typed, offered, isNeeded, wanted, scopes, onWanted }: WhereToProps) {
  const isNew = typed.trim() !== "" && scopes.every(({ id }) => id !== typed.trim());
  return (
    <div class="form">
      <label>
        {t("Into the scope")}
        <input
          value={typed}
          required={isNeeded}
          placeholder={isNeeded ? t("Scope id") : offered || t("named by the folder or file")}
          onInput={(event) => onWanted({ ...wanted, scope: event.currentTarget.value })}
        />
      </label>
      {isNew && scopes.length > 0 && (
        <label>
          {t("It inherits from")}
          <select
            value={wanted.parent}
            onInput={(event) => onWanted({ ...wanted, parent: event.currentTarget.value })}
          >
            <option value="">{t("nothing")}</option>
            {scopes.map(({ id }) => (
              <option key={id}>{id}</option>
            ))}
          </select>
        </label>
      )}
      <label class="inline">
        <input
          type="checkbox"
          checked={wanted.guides}
          onChange={(event) => onWanted({ ...wanted, guides: event.currentTarget.checked })}
        />
        {t("Also import other Markdown files")}
      </label>
    </div>
  );
}

function sendDrop(drop: RuleDrop, signal?: AbortSignal): Promise<DropReport> {
  return api("/api/scopes/import", { body: drop, signal });
}

// Longer than the gap between two keys, shorter than it takes to look up from the keyboard.
const PAUSE_MS = 250;

/**
 * Computes what the import would change, again whenever typing pauses. Until then the previous
 * preview stays on the page, marked as not current, so that the layout does not jump.
 */
function usePreview(wish: RuleDrop | undefined) {
  const { data, error } = useLive(
    async (signal) => {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      signal.throwIfAborted();
      return { wish, report: wish && (await sendDrop({ ...wish, write: false }, signal)) };
    },
    0,
    [wish],
  );
  return { report: data?.report, error, isCurrent: data?.wish === wish && error === undefined };
}

const SCOPE_OUTCOMES = {
  added: "new",
  changed: "changed",
  unchanged: "unchanged",
  refused: "refused",
} as const;

const MAX_SHOWN = 20;

function Report({ report }: { report: DropReport }) {
  const sum = (count: "added" | "changed" | "unchanged") =>
    report.sources.reduce((total, source) => total + source[count], 0);
  return (
    <section aria-label={t("What the import changes")}>
      <p role="status">
        {t("{0} new, {1} changed, {2} unchanged", sum("added"), sum("changed"), sum("unchanged"))}
      </p>
      <ul class="children">
        {report.scopes.slice(0, MAX_SHOWN).map((scope) => (
          <li key={scope.id}>
            {scope.id} <span class="badge">{t(SCOPE_OUTCOMES[scope.outcome])}</span>{" "}
            <span class="muted">{t("{0|rule|rules}", scope.entries)}</span>
          </li>
        ))}
        {report.scopes.length > MAX_SHOWN && (
          <li>{t("and {0} more", report.scopes.length - MAX_SHOWN)}</li>
        )}
      </ul>
      <ChangedRules rules={report.rules} all={sum("added") + sum("changed")} />
      <Refusals rows={[...report.fatal, ...report.refused]} />
      {report.notes.map((note) => (
        <p key={note.code} class="muted">
          {sayMessage(note)}
        </p>
      ))}
    </section>
  );
}

function Refusals({ rows }: { rows: DropReport["refused"] }) {
  if (rows.length === 0) return null;
  return (
    <div class="problem">
      <p>{t("Refused ({0}):", rows.length)}</p>
      <ul class="children">
        {rows.slice(0, MAX_SHOWN).map(({ source, line, reason }) => (
          <li key={`${source}:${line}:${reason}`}>
            {line > 0 ? `${source}:${line}` : source}: {reason}
          </li>
        ))}
      </ul>
    </div>
  );
}

type Rule = DropReport["rules"][number];

const RULE_OUTCOMES = { added: "new", changed: "changed", removed: "removed" } as const;
const SHOWN = 60;

interface ChangedRulesProps {
  readonly rules: readonly Rule[];
  /** Includes those that are not listed. */
  readonly all: number;
}

/** The rules that an import would change: each opens to its new and its old text. */
function ChangedRules({ rules, all }: ChangedRulesProps) {
  if (rules.length === 0) return null;
  const shown = rules.slice(0, SHOWN);
  const left = Math.max(all, rules.length) - shown.length;
  return (
    <ul class="changed-rules" aria-label={t("Rules that change")}>
      {shown.map((rule) => (
        <li key={`${rule.scope}/${rule.category}/${rule.keyword}`}>
          <Collapsible class="fold" summary={<RuleName rule={rule} />}>
            {() => <RuleTexts rule={rule} />}
          </Collapsible>
        </li>
      ))}
      {left > 0 && <li class="muted">{t("and {0} more", left)}</li>}
    </ul>
  );
}

function RuleName({ rule }: { readonly rule: Rule }) {
  return (
    <>
      <span class={`badge ${rule.outcome}`}>{t(RULE_OUTCOMES[rule.outcome])}</span>{" "}
      <span class="muted">{rule.scope} ›</span>{" "}
      {rule.category !== rule.keyword && `${rule.category} / `}
      <strong>{rule.keyword}</strong>
    </>
  );
}

function RuleTexts({ rule: { before, after } }: { readonly rule: Rule }) {
  return (
    <>
      {before !== undefined && (
        <div class="rule-before">
          <p class="muted small">{t("Now")}</p>
          <Markdown text={before} />
        </div>
      )}
      {after !== undefined && (
        <div class="rule-after">
          {before !== undefined && <p class="muted small">{t("After the import")}</p>}
          <Markdown text={after} />
        </div>
      )}
    </>
  );
}
