import { RULE_LIMITS } from "../../../../domain/scope.ts";
import { useSpeech } from "../../state/language.ts";
import type { Word } from "../../state/translations.ts";
import { checkId, easierId, type IdFault } from "./check-id.ts";

interface IdFieldProps {
  readonly value: string;
  readonly known: readonly string[];
  readonly onInput: (value: string) => void;
}

const FAULTS: Readonly<Record<IdFault, Word>> = {
  empty: "idEmpty",
  "too-long": "idTooLong",
  control: "idControl",
  slash: "idControl",
  taken: "scopeExists",
};

export function IdField({ value, known, onInput }: IdFieldProps) {
  const { say } = useSpeech();
  const fault = value === "" ? undefined : checkId(value, known);
  const easier = fault === undefined ? easierId(value) : undefined;
  const advice = easier ? "idUnusual" : "idHint";
  return (
    <div>
      <label>
        {say("scopeId")}
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
        {say(fault ? FAULTS[fault] : advice, RULE_LIMITS.id)}
        {easier && (
          <>
            {" "}
            <button type="button" class="link" onClick={() => onInput(easier)}>
              {say("useId", easier)}
            </button>
          </>
        )}
      </p>
    </div>
  );
}
