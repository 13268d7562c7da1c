// The forms for a new scope and for a rule.
import { useState } from "preact/hooks";
import { RULE_LIMITS, TIERS, type Tier } from "../../../domain/scope.ts";
import type { ExplainedView, ScopeRow } from "../../../tools/scopes/contract.ts";
import { type Fields, FormDialog } from "../parts/dialog.tsx";
import { Button } from "../parts/parts.tsx";
import { t } from "../state/language.ts";
import { call } from "../state/mcp.ts";
import type { Text } from "../state/texts.ts";
import { checkId, easierId, type IdFault } from "./check-id.ts";
import type { RuleAct, ShownRule } from "./rules.tsx";

interface ScopeFormProps {
  readonly scopes: readonly ScopeRow[];
  readonly onClose: () => void;
  readonly onSaved: (id: string) => void;
}

export function ScopeForm({ scopes, onClose, onSaved }: ScopeFormProps) {
  const [tier, setTier] = useState<Tier>("PROJECT");
  const [id, setId] = useState("");
  const known = scopes.map((scope) => scope.id);
  const save = async ({ parent, description }: Fields) => {
    const made = await call("knowledge-scope-put", {
      scope_id: id,
      tier,
      ...(parent ? { parent } : {}),
      ...(description ? { description } : {}),
    });
    onSaved(made.scope_id);
  };
  return (
    <FormDialog
      title={t("New scope")}
      // If the id exists, the tool would change that scope instead of creating one.
      isBlocked={checkId(id, known) !== undefined}
      onClose={onClose}
      onSubmit={save}
    >
      <IdField value={id} known={known} onInput={setId} />
      <Place scopes={scopes} tier={tier} onTier={setTier} />
      <label>
        {t("Description")}
        <textarea name="description" rows={2} />
      </label>
    </FormDialog>
  );
}

const FAULTS: Readonly<Record<IdFault, Text>> = {
  empty: "Type an id.",
  "too-long": "At most {0} characters.",
  control: "Use one line without control characters.",
  slash: "Use one line without control characters.",
  taken: "A scope with this id already exists.",
};

interface IdFieldProps {
  readonly value: string;
  readonly known: readonly string[];
  readonly onInput: (value: string) => void;
}

function IdField({ value, known, onInput }: IdFieldProps) {
  const fault = value === "" ? undefined : checkId(value, known);
  const easier = fault === undefined ? easierId(value) : undefined;
  const advice = easier
    ? "Spaces and special characters are easily mistyped."
    : "Agents ask for rules by this id, for example checkout-api.";
  return (
    <div>
      <label>
        {t("Scope id")}
        <input
          name="id"
          required
          value={value}
          aria-invalid={fault !== undefined}
          aria-describedby="id-said"
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      </label>
      <p id="id-said" class={fault ? "problem" : "muted"} role="status">
        {t(fault ? FAULTS[fault] : advice, RULE_LIMITS.id)}{" "}
        {easier && (
          <Button class="link" text={t("Use {0}", easier)} onClick={() => onInput(easier)} />
        )}
      </p>
    </div>
  );
}

interface PlaceProps {
  readonly scopes: readonly ScopeRow[];
  readonly tier: Tier;
  readonly onTier: (tier: Tier) => void;
}

/** The scope's place in the hierarchy: its tier, and a parent with a more general tier. */
function Place({ scopes, tier, onTier }: PlaceProps) {
  const parents = scopes.filter((scope) => TIERS.indexOf(scope.tier) < TIERS.indexOf(tier));
  return (
    <>
      <label>
        {t("Tier")}
        <select
          name="tier"
          value={tier}
          onChange={({ currentTarget }) =>
            onTier(TIERS.find((each) => each === currentTarget.value) ?? tier)
          }
        >
          {TIERS.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      <label>
        {t("Parent")}
        <select name="parent">
          <option value="">{t("none")}</option>
          {parents.map((scope) => (
            <option key={scope.id} value={scope.id}>
              {scope.id} ({scope.tier})
            </option>
          ))}
        </select>
      </label>
    </>
  );
}

interface EntryFormProps {
  readonly kind: "add" | Exclude<RuleAct["kind"], "remove">;
  /** The scope that the rule is saved to. */
  readonly scopeId: string;
  readonly view: ExplainedView;
  readonly entry: ShownRule | undefined;
  readonly onDone: () => void;
}

const TITLES = {
  add: "New rule in {0}",
  edit: "Edit “{1}” in {0}",
  override: "Override “{1}” in {0}",
  "edit-there": "Edit “{1}” in {0}",
} as const;

const HINTS = {
  "edit-there": "This changes the rule in {0} and in every scope that inherits it.",
  override: "The rule of {0} stays as it is for all other scopes.",
} as const;

export function EntryForm({ kind, scopeId, view, entry, onDone }: EntryFormProps) {
  const [category, setCategory] = useState(entry?.category ?? "");
  const own = view.categories.find(({ name }) => name === category.trim());
  const described = own?.description ?? "";
  const save = async (fields: Fields) => {
    await call("knowledge-entry-put", {
      scope_id: scopeId,
      category: entry?.category ?? fields["category"] ?? "",
      keyword: entry?.keyword ?? fields["keyword"] ?? "",
      content: fields["content"] ?? "",
      ...(fields["when"] !== described ? { category_description: fields["when"] ?? "" } : {}),
    });
    onDone();
  };
  return (
    <FormDialog
      title={t(TITLES[kind], scopeId, entry?.keyword ?? "")}
      onClose={onDone}
      onSubmit={save}
    >
      {entry && kind in HINTS && (
        <p class="muted">{t(HINTS[kind as keyof typeof HINTS], entry.source_scope)}</p>
      )}
      <Names view={view} entry={entry} category={category} onCategory={setCategory} />
      <label>
        {t("Content")}
        {/* Not `value`: the page loads the rules again every few seconds, which would undo what is being typed. */}
        <textarea name="content" rows={6} required defaultValue={entry?.content ?? ""} />
      </label>
      <label>
        {t("When the category matters (agents use this to choose)")}
        <input name="when" maxLength={2000} key={described} defaultValue={described} />
      </label>
    </FormDialog>
  );
}

interface NamesProps extends Pick<EntryFormProps, "view" | "entry"> {
  readonly category: string;
  readonly onCategory: (category: string) => void;
}

function Names({ view, entry, category, onCategory }: NamesProps) {
  return (
    <>
      <label>
        {t("Category")}
        <input
          name="category"
          required
          list="categories"
          // In `category/keyword` the slash ends the category.
          pattern="[^\/]*"
          title={t("A category name cannot contain a slash.")}
          value={category}
          disabled={entry !== undefined}
          onInput={(event) => onCategory(event.currentTarget.value)}
        />
        <datalist id="categories">
          {view.categories.map(({ name }) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </label>
      <label>
        {t("Keyword")}
        <input
          name="keyword"
          required
          defaultValue={entry?.keyword ?? ""}
          disabled={entry !== undefined}
        />
      </label>
    </>
  );
}
