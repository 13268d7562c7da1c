// Giving a document to another scope, or a scope another parent: by dragging onto the tree, or by a dialog.
import { useState } from "preact/hooks";
import { TIERS } from "../../../domain/scope.ts";
import type { ScopeRow } from "../../../tools/scopes/contract.ts";
import { FormDialog, useAttempt } from "../parts/dialog.tsx";
import { Button, Problem } from "../parts/parts.tsx";
import { t } from "../state/language.ts";
import { api, call } from "../state/mcp.ts";

export interface Moving {
  readonly kind: "document" | "scope";
  readonly id: string;
  readonly name: string;
  readonly from: string;
  /** Where it was dropped. */
  readonly to?: string;
}

const DRAGGED = "application/x-knowledge";

/** What makes an element one that can be dragged. */
export function dragProps(moving: Moving) {
  return {
    draggable: true,
    onDragStart: (event: DragEvent) =>
      event.dataTransfer?.setData(DRAGGED, JSON.stringify({ ...moving })),
  };
}

/** What makes an element one that something can be dropped on. */
export function useDropTarget(to: string, onDrop: (moving: Moving) => void) {
  const [isOver, setOver] = useState(false);
  return {
    class: isOver ? "drop-target" : undefined,
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes(DRAGGED)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      setOver(false);
      const text = event.dataTransfer?.getData(DRAGGED);
      if (!text) return;
      event.preventDefault();
      const moving: Moving = JSON.parse(text);
      if (moving.id !== to && moving.from !== to) onDrop({ ...moving, to });
    },
  };
}

async function move({ kind, id }: Moving, to: string): Promise<void> {
  if (kind === "document")
    await api("/api/documents/move", { body: { documentId: id, scope: to } });
  else await call("knowledge-scope-put", { scope_id: id, parent: to === "" ? null : to });
}

interface MoveDialogProps {
  readonly moving: Moving;
  readonly scopes: readonly ScopeRow[];
  readonly onClose: () => void;
  readonly onMoved: (moved: Moving) => void;
}

/** A scope inherits from one of a more general tier. */
export function MoveDialog({ moving, scopes, onClose, onMoved }: MoveDialogProps) {
  const { kind, id, name, from, to = from } = moving;
  const isScope = kind === "scope";
  const tier = scopes.find((scope) => scope.id === id)?.tier ?? "PROJECT";
  const targets = scopes.filter(
    (scope) => !isScope || TIERS.indexOf(scope.tier) < TIERS.indexOf(tier),
  );
  const ids = new Set([...(isScope ? [] : ["general"]), ...targets.map((scope) => scope.id)]);
  const send = async (fields: Readonly<Record<string, string>>) => {
    const chosen = fields["to"] ?? "";
    await move(moving, chosen);
    onMoved({ ...moving, to: chosen });
  };
  return (
    <FormDialog title={t("Move “{0}”", name)} submit={t("Move")} onClose={onClose} onSubmit={send}>
      <label>
        {t(isScope ? "Inherits from" : "Scope")}
        <select name="to" defaultValue={to}>
          {isScope && <option value="">{t("nothing")}</option>}
          {[...ids].map((each) => (
            <option key={each} selected={each === to}>
              {each}
            </option>
          ))}
        </select>
      </label>
      {isScope && (
        <p class="muted small">{t("Rules and rights that it inherits change with its parent.")}</p>
      )}
    </FormDialog>
  );
}

interface MovedNoteProps {
  readonly moved: Moving;
  readonly onUndone: () => void;
}

export function MovedNote({ moved, onUndone }: MovedNoteProps) {
  const { problem, attempt } = useAttempt();
  const undo = () => attempt(() => move(moved, moved.from).then(onUndone));
  return (
    <p class="notice good" role="status">
      <span class="grow">{t("Moved “{0}” to {1}.", moved.name, moved.to || t("nothing"))}</span>
      <Button class="link" text={t("Undo")} onClick={undo} />
      <Problem text={problem} />
    </p>
  );
}
