// The forms for a new scope and for a rule.
import { useState } from "preact/hooks";
import { RULE_LIMITS, TIERS, type Tier } from "../../../domain/scope.ts";
import type { ExplainedView, ScopeRow } from "../../../tools/scopes/contract.ts";
import { Button } from "../parts/button.tsx";
import { type Fields, FormDialog } from "../parts/dialog.tsx";
import { useI18n } from "../state/language.ts";
import { call } from "../state/mcp.ts";
import type { MessageKey } from "../state/translations.ts";
import { checkId, easierId, type IdFault } from "./check-id.ts";
import type { RuleAct, ShownRule } from "./rules.tsx";

interface ScopeFormProps {
  readonly scopes: readonly ScopeRow[];
  readonly onClose: () => void;
  readonly onSaved: (id: string) => void;
}

export function ScopeForm({ scopes, onClose, onSaved }: ScopeFormProps) {
  const { t } = useI18n();
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
      title={t("newScope")}
      // If the id exists, the tool would change that scope instead of creating one.
      isBlocked={checkId(id, known) !== undefined}
      onClose={onClose}
      onSubmit={save}
    >
      <IdField value={id} known={known} onInput={setId} />
      <Place scopes={scopes} tier={tier} onTier={setTier} />
      <label>
        {t("description")}
        <textarea name="description" rows={2} />
      </label>
    </FormDialog>
  );
}

const FAULTS: Readonly<Record<IdFault, MessageKey>> = {
  empty: "idEmpty",
  "too-long": "idTooLong",
  control: "idControl",
  slash: "idControl",
  taken: "scopeExists",
};

interface IdFieldProps {
  readonly value: string;
  readonly known: readonly string[];
  readonly onInput: (value: string) => void;
}

function IdField({ value, known, onInput }: IdFieldProps) {
  const { t } = useI18n();
  const fault = value === "" ? undefined : checkId(value, known);
  const easier = fault === undefined ? easierId(value) : undefined;
  const advice = easier ? "idUnusual" : "idHint";
  return (
    <div>
      <label>
        {t("scopeId")}
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
          <Button class="link" text={t("useId", easier)} onClick={() => onInput(easier)} />
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
  const { t } = useI18n();
  const parents = scopes.filter((scope) => TIERS.indexOf(scope.tier) < TIERS.indexOf(tier));
  return (
    <>
      <label>
        {t("tier")}
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
        {t("parent")}
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
  add: "newRuleIn",
  edit: "editRuleIn",
  override: "overrideRuleIn",
  "edit-there": "editRuleIn",
} as const;

export function EntryForm({ kind, scopeId, view, entry, onDone }: EntryFormProps) {
  const { t } = useI18n();
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
      {kind === "edit-there" && <p class="muted">{t("editThereHint", scopeId)}</p>}
      {kind === "override" && <p class="muted">{t("overrideHint", entry?.source_scope ?? "")}</p>}
      <Names view={view} entry={entry} category={category} onCategory={setCategory} />
      <label>
        {t("content")}
        {/* Not `value`: the page loads the rules again every few seconds, which would undo what is being typed. */}
        <textarea name="content" rows={6} required defaultValue={entry?.content ?? ""} />
      </label>
      <label>
        {t("whenItMatters")}
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
  const { t } = useI18n();
  return (
    <>
      <label>
        {t("category")}
        <input
          name="category"
          required
          list="categories"
          // In `category/keyword` the slash ends the category.
          pattern="[^\/]*"
          title={t("noSlash")}
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
        {t("keyword")}
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
