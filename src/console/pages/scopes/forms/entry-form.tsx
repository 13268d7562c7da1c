import { useState } from "preact/hooks";
import type { ExplainedView } from "../../../../tools/scopes/contract.ts";
import { useI18n } from "../../state/language.ts";
import { call } from "../../state/mcp.ts";
import type { ShownRule } from "../rules/rule-act.ts";
import { FormFrame } from "./form-frame.tsx";

interface EntryFormProps {
  readonly kind: "add" | "edit" | "override" | "edit-there";
  /** The scope that the rule is saved to. */
  readonly scopeId: string;
  readonly view: ExplainedView;
  readonly entry?: ShownRule;
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
  const described = view.categories.find(({ name }) => name === category)?.description ?? "";
  const save = async (fields: Readonly<Record<string, string>>) => {
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
    <FormFrame
      title={t(TITLES[kind], scopeId, entry?.keyword ?? "")}
      onClose={onDone}
      onSubmit={save}
    >
      {kind === "edit-there" && <p class="muted">{t("editThereHint", scopeId)}</p>}
      {kind === "override" && <p class="muted">{t("overrideHint", entry?.source_scope ?? "")}</p>}
      <Names view={view} entry={entry} category={category} onCategory={setCategory} />
      <label>
        {t("content")}
        <textarea name="content" rows={6} required value={entry?.content} />
      </label>
      <label>
        {t("whenItMatters")}
        <input name="when" maxLength={2000} key={described} defaultValue={described} />
      </label>
    </FormFrame>
  );
}

interface NamesProps {
  readonly view: ExplainedView;
  readonly entry: ShownRule | undefined;
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
          onInput={(event) => onCategory(event.currentTarget.value.trim())}
        />
        <datalist id="categories">
          {view.categories.map(({ name }) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </label>
      <label>
        {t("keyword")}
        <input name="keyword" required value={entry?.keyword} disabled={entry !== undefined} />
      </label>
    </>
  );
}
