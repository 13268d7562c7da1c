import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Dialog } from "../../parts/dialog.tsx";
import { useI18n } from "../../state/language.ts";

interface FormFrameProps {
  readonly title: string;
  /** A field is invalid, so the form cannot be submitted. */
  readonly isBlocked?: boolean;
  readonly onClose: () => void;
  readonly onSubmit: (fields: Readonly<Record<string, string>>) => Promise<void>;
  readonly children: ComponentChildren;
}

export function FormFrame({ title, isBlocked, onClose, onSubmit, children }: FormFrameProps) {
  const { t, explain } = useI18n();
  const [problem, setProblem] = useState("");
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    try {
      await onSubmit(fieldsOf(event.currentTarget as HTMLFormElement));
    } catch (thrown) {
      setProblem(explain(thrown));
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
            {t("cancel")}
          </button>
          <button type="submit" disabled={isBlocked}>
            {t("save")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function fieldsOf(form: HTMLFormElement): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]),
  );
}
