// A modal on the platform's <dialog>: traps focus and restores it, Escape closes.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { explain, t } from "../state/language.ts";
import { Button, Problem } from "./parts.tsx";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function Dialog({ title, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => element.current?.showModal(), []);
  return (
    <dialog ref={element} onClose={onClose} aria-labelledby="dialog-title">
      <h2 id="dialog-title">{title}</h2>
      {children}
    </dialog>
  );
}

/** Does something that may fail, and keeps the reason to show it where it was asked for. */
export function useAttempt() {
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const attempt = async (act: () => Promise<unknown>) => {
    setBusy(true);
    setProblem("");
    try {
      await act();
    } catch (thrown) {
      setProblem(explain(thrown));
    }
    setBusy(false);
  };
  return { problem, isBusy, attempt };
}

export type Fields = Readonly<Record<string, string>>;

interface FormDialogProps extends DialogProps {
  /** A field is invalid, so the form cannot be submitted. */
  readonly isBlocked?: boolean;
  readonly submit?: string;
  readonly isDangerous?: boolean;
  readonly onSubmit: (fields: Fields) => Promise<unknown>;
}

/** Stays open if what it does fails, and says why. */
export function FormDialog(props: FormDialogProps) {
  const { title, isBlocked = false, submit, isDangerous, onClose, onSubmit, children } = props;
  const { problem, isBusy, attempt } = useAttempt();
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    const given = [...new FormData(event.currentTarget as HTMLFormElement)];
    const fields = given.map(([name, value]) => [name, String(value).trim()]);
    return attempt(() => onSubmit(Object.fromEntries(fields)));
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={send} class="form">
        {children}
        <Problem text={problem} />
        <div class="row end">
          <Button class="quiet" text={t("Cancel")} onClick={onClose} />
          <button
            type="submit"
            class={isDangerous ? "danger" : undefined}
            disabled={isBlocked || isBusy}
          >
            {submit ?? t("Save")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface ConfirmRemovalProps extends Pick<DialogProps, "title" | "onClose"> {
  readonly text: string;
  readonly onConfirm: FormDialogProps["onSubmit"];
  /** Further choices. */
  readonly children?: ComponentChildren;
}

export function ConfirmRemoval({ text, onConfirm, children, ...dialog }: ConfirmRemovalProps) {
  return (
    <FormDialog {...dialog} isDangerous submit={t("Remove")} onSubmit={onConfirm}>
      <p>{text}</p>
      {children}
    </FormDialog>
  );
}
