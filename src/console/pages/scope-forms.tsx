import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useSpeech } from "./language.ts";
import { call } from "./mcp.ts";
import { Dialog } from "./parts/dialog.tsx";
import type { ScopeRow, ScopeView } from "./shapes.ts";

const TIERS = ["GENERAL", "PRODUCT", "GROUP", "PROJECT"];

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
  const save = async (fields: Record<string, string>) => {
    await call("knowledge-scope-put", {
      scope_id: fields["id"],
      tier: fields["tier"],
      ...(fields["parent"] ? { parent: fields["parent"] } : {}),
      ...(fields["description"] ? { description: fields["description"] } : {}),
    });
    onSaved(fields["id"] ?? "");
  };
  return (
    <FormFrame title={say("newScope")} onClose={onClose} onSubmit={save}>
      <label>
        {say("scopeId")}
        <input name="id" required maxLength={128} />
      </label>
      <label>
        {say("tier")}
        <select name="tier">
          {TIERS.map((tier) => (
            <option key={tier}>{tier}</option>
          ))}
        </select>
      </label>
      <label>
        {say("parent")}
        <select name="parent">
          <option value="">{say("none")}</option>
          {scopes.map((scope) => (
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
  readonly entry: ScopeView["entries"][number] | undefined;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

export function EntryForm({ scopeId, entry, onClose, onSaved }: EntryFormProps) {
  const { say } = useSpeech();
  const save = async (fields: Record<string, string>) => {
    await call("knowledge-entry-put", {
      scope_id: scopeId,
      category: entry?.category ?? fields["category"],
      keyword: entry?.keyword ?? fields["keyword"],
      content: fields["content"],
    });
    onSaved();
  };
  return (
    <FormFrame title={entry ? entry.keyword : say("newRule")} onClose={onClose} onSubmit={save}>
      <label>
        {say("category")}
        <input name="category" required value={entry?.category} disabled={entry !== undefined} />
      </label>
      <label>
        {say("keyword")}
        <input name="keyword" required value={entry?.keyword} disabled={entry !== undefined} />
      </label>
      <label>
        {say("content")}
        <textarea name="content" rows={6} required value={entry?.content} />
      </label>
    </FormFrame>
  );
}
