import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { TIERS, type Tier } from "../../../domain/scope.ts";
import type { ExplainedView, ScopeRow } from "../../../tools/scopes/contract.ts";
import { Dialog } from "../parts/dialog.tsx";
import { useSpeech } from "../state/language.ts";
import { call } from "../state/mcp.ts";

interface FormFrameProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly onSubmit: (fields: Record<string, string>) => Promise<void>;
  readonly children: ComponentChildren;
}

function FormFrame({ title, onClose, onSubmit, children }: FormFrameProps) {
  const { say } = useSpeech();
  const [problem, setProblem] = useState("");
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const fields = Object.fromEntries(
      [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]),
    );
    try {
      await onSubmit(fields);
    } catch (thrown) {
      setProblem(thrown instanceof Error ? thrown.message : String(thrown));
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit} class="form">
        {children}
        {problem && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <div class="row end">
          <button type="button" class="quiet" onClick={onClose}>
            {say("cancel")}
          </button>
          <button type="submit">{say("save")}</button>
        </div>
      </form>
    </Dialog>
  );
}

interface ScopeFormProps {
  readonly scopes: readonly ScopeRow[];
  readonly onClose: () => void;
  readonly onSaved: (id: string) => void;
}

export function ScopeForm({ scopes, onClose, onSaved }: ScopeFormProps) {
  const { say } = useSpeech();
  const [tier, setTier] = useState<Tier>("PROJECT");
  const parents = scopes.filter((scope) => TIERS.indexOf(scope.tier) < TIERS.indexOf(tier));
  const save = async (fields: Record<string, string>) => {
    // The tool would change the scope of that name.
    const id = fields["id"] ?? "";
    if (scopes.some((scope) => scope.id === id)) throw new Error(say("scopeExists"));
    await call("knowledge-scope-put", {
      scope_id: id,
      tier,
      ...(fields["parent"] ? { parent: fields["parent"] } : {}),
      ...(fields["description"] ? { description: fields["description"] } : {}),
    });
    onSaved(id);
  };
  return (
    <FormFrame title={say("newScope")} onClose={onClose} onSubmit={save}>
      <label>
        {say("scopeId")}
        <input name="id" required maxLength={200} />
      </label>
      <label>
        {say("tier")}
        <select
          name="tier"
          value={tier}
          onChange={(event) =>
            setTier(TIERS.find((each) => each === event.currentTarget.value) ?? tier)
          }
        >
          {TIERS.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      <label>
        {say("parent")}
        <select name="parent">
          <option value="">{say("none")}</option>
          {parents.map((scope) => (
            <option key={scope.id} value={scope.id}>
              {scope.id} ({scope.tier})
            </option>
          ))}
        </select>
      </label>
      <label>
        {say("description")}
        <textarea name="description" rows={2} />
      </label>
    </FormFrame>
  );
}

interface EntryFormProps {
  readonly scopeId: string;
  readonly categories: ExplainedView["categories"];
  readonly entry: ExplainedView["entries"][number] | undefined;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

export function EntryForm({ scopeId, categories, entry, onClose, onSaved }: EntryFormProps) {
  const { say } = useSpeech();
  const [category, setCategory] = useState(entry?.category ?? "");
  const described = categories.find(({ name }) => name === category)?.description ?? "";
  const save = async (fields: Record<string, string>) => {
    await call("knowledge-entry-put", {
      scope_id: scopeId,
      category: entry?.category ?? fields["category"] ?? "",
      keyword: entry?.keyword ?? fields["keyword"] ?? "",
      content: fields["content"] ?? "",
      ...(fields["when"] !== described ? { category_description: fields["when"] ?? "" } : {}),
    });
    onSaved();
  };
  return (
    <FormFrame title={entry ? entry.keyword : say("newRule")} onClose={onClose} onSubmit={save}>
      <label>
        {say("category")}
        <input
          name="category"
          required
          list="categories"
          value={category}
          disabled={entry !== undefined}
          onInput={(event) => setCategory(event.currentTarget.value.trim())}
        />
        <datalist id="categories">
          {categories.map(({ name }) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </label>
      <label>
        {say("keyword")}
        <input name="keyword" required value={entry?.keyword} disabled={entry !== undefined} />
      </label>
      <label>
        {say("content")}
        <textarea name="content" rows={6} required value={entry?.content} />
      </label>
      <label>
        {say("whenItMatters")}
        <input name="when" maxLength={2000} key={described} defaultValue={described} />
      </label>
    </FormFrame>
  );
}
