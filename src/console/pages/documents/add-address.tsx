// Adds a web page or file by its address, or says how to allow that.
import { useState } from "preact/hooks";
import { Collapsible } from "../parts/collapsible.tsx";
import { useAttempt } from "../parts/dialog.tsx";
import { Problem } from "../parts/notices.tsx";
import { useI18n } from "../state/language.ts";
import { call } from "../state/mcp.ts";
import { useOffered } from "../state/offered-tools.ts";

const TOOL = "knowledge-add-url";

export function AddAddress() {
  const { t } = useI18n();
  const isOn = useOffered()?.some(({ name }) => name === TOOL);
  const off = (
    <p class="muted small">
      {t("addressOff")} <code>--allow-urls</code>
    </p>
  );
  return (
    <Collapsible class="fold" summary={t("addAddress")}>
      {() => (isOn ? <AddressForm /> : off)}
    </Collapsible>
  );
}

function AddressForm() {
  const { t } = useI18n();
  const [isQueued, setQueued] = useState(false);
  const { problem, isBusy, attempt } = useAttempt();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const url = String(new FormData(form).get("url")).trim();
    setQueued(false);
    return attempt(async () => {
      // The tray, which is on every page, shows the progress.
      await call(TOOL, { url, async: true, refresh: true });
      setQueued(true);
      form.reset();
    });
  };
  return (
    <form class="row address" onSubmit={submit}>
      <input
        type="url"
        name="url"
        required
        readOnly={isBusy}
        aria-label={t("address")}
        placeholder="https://"
        maxLength={2_048}
      />
      <button type="submit" disabled={isBusy}>
        {t("add")}
      </button>
      <p role="status" class="small">
        {isQueued && t("addressQueued")}
      </p>
      <Problem text={problem} />
    </form>
  );
}
