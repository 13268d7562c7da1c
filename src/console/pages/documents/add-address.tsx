// Adds a web page or file by its address, or says how to allow that.
import { useState } from "preact/hooks";
import { Collapsible } from "../parts/collapsible.tsx";
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

type Sent =
  | { readonly state: "idle" | "sending" | "queued" }
  | { readonly state: "failed"; readonly thrown: unknown };

function AddressForm() {
  const { t, explain } = useI18n();
  const [url, setUrl] = useState("");
  const [sent, setSent] = useState<Sent>({ state: "idle" });
  const submit = async (event: Event) => {
    event.preventDefault();
    setSent({ state: "sending" });
    try {
      // The tray, which is on every page, shows the progress.
      await call(TOOL, { url: url.trim(), async: true, refresh: true });
      // The next address may already be typed.
      setUrl((typed) => (typed === url ? "" : typed));
      setSent({ state: "queued" });
    } catch (thrown) {
      setSent({ state: "failed", thrown });
    }
  };
  // The server's message names the argument; the page names its field instead.
  const named = (text: string) => text.replace(/'url'|(?<=「)url(?=」)/, t("address"));
  return (
    <form class="row address" onSubmit={submit}>
      <input
        type="url"
        required
        aria-label={t("address")}
        placeholder="https://"
        maxLength={2_048}
        value={url}
        onInput={(event) => setUrl(event.currentTarget.value)}
      />
      <button type="submit" disabled={sent.state === "sending"}>
        {t("add")}
      </button>
      <p role="status" class="small">
        {sent.state === "queued" && t("addressQueued")}
        {sent.state === "failed" && <span class="problem">{named(explain(sent.thrown))}</span>}
      </p>
    </form>
  );
}
