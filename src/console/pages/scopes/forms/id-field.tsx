import { RULE_LIMITS } from "../../../../domain/scope.ts";
import { useI18n } from "../../state/language.ts";
import type { MessageKey } from "../../state/translations.ts";
import { checkId, easierId, type IdFault } from "./check-id.ts";

interface IdFieldProps {
  readonly value: string;
  readonly known: readonly string[];
  readonly onInput: (value: string) => void;
}

const FAULTS: Readonly<Record<IdFault, MessageKey>> = {
  empty: "idEmpty",
  "too-long": "idTooLong",
  control: "idControl",
  slash: "idControl",
  taken: "scopeExists",
};

export function IdField({ value, known, onInput }: IdFieldProps) {
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
        {t(fault ? FAULTS[fault] : advice, RULE_LIMITS.id)}
        {easier && (
          <>
            {" "}
            <button type="button" class="link" onClick={() => onInput(easier)}>
              {t("useId", easier)}
            </button>
          </>
        )}
      </p>
    </div>
  );
}
