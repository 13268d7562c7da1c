// A modal on the platform's <dialog>: traps focus and restores it, Escape closes.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useI18n } from "../state/language.ts";
import { Button } from "./button.tsx";

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
  const { explain } = useI18n();
  const [problem, setProblem] = useState("");
  const attempt = async (act: () => Promise<unknown>) => {
    try {
      await act();
    } catch (thrown) {
      setProblem(explain(thrown));
    }
  };
  return { problem, attempt };
}

interface ConfirmRemovalProps {
  readonly title: string;
  readonly text: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function ConfirmRemoval({ title, text, onConfirm, onClose }: ConfirmRemovalProps) {
  const { t } = useI18n();
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <div class="row end">
        <Button class="quiet" text={t("cancel")} onClick={onClose} />
        <Button class="danger" text={t("remove")} onClick={onConfirm} />
      </div>
    </Dialog>
  );
}
