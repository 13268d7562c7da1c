import { useState } from "preact/hooks";
import { TIERS, type Tier } from "../../../../domain/scope.ts";
import type { ScopeRow } from "../../../../tools/scopes/contract.ts";
import { useI18n } from "../../state/language.ts";
import { call } from "../../state/mcp.ts";
import { checkId } from "./check-id.ts";
import { FormFrame } from "./form-frame.tsx";
import { IdField } from "./id-field.tsx";

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
  const save = async ({ parent, description }: Readonly<Record<string, string>>) => {
    const made = await call("knowledge-scope-put", {
      scope_id: id,
      tier,
      ...(parent ? { parent } : {}),
      ...(description ? { description } : {}),
    });
    onSaved(made.scope_id);
  };
  return (
    <FormFrame
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
    </FormFrame>
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
          onChange={(event) =>
            onTier(TIERS.find((each) => each === event.currentTarget.value) ?? tier)
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
