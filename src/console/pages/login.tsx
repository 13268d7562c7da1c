import { useState } from "preact/hooks";
import { Button } from "./parts/button.tsx";
import { Problem } from "./parts/notices.tsx";
import { useI18n } from "./state/language.ts";
import { request, TokenNeeded, token } from "./state/mcp.ts";

interface LoginProps {
  readonly onDone: () => void;
  readonly onLanguage: () => void;
}

export function Login({ onDone, onLanguage }: LoginProps) {
  const { t, explain } = useI18n();
  const [problem, setProblem] = useState("");
  const [value, setValue] = useState("");

  const submit = async (event: Event) => {
    event.preventDefault();
    token.set(value.trim());
    try {
      await request("ping", {});
      onDone();
    } catch (thrown) {
      token.clear();
      setProblem(thrown instanceof TokenNeeded ? t("tokenWrong") : explain(thrown));
    }
  };
  return (
    <form class="card login" onSubmit={submit}>
      <h1>{t("signIn")}</h1>
      <p>{t("tokenHint")}</p>
      <label>
        {t("token")}
        <input
          type="password"
          autocomplete="current-password"
          value={value}
          onInput={(event) => setValue(event.currentTarget.value)}
          required
        />
      </label>
      <Problem text={problem} />
      <button type="submit">{t("signIn")}</button>
      <Button class="quiet" icon="globe" text={t("language")} onClick={onLanguage} />
    </form>
  );
}
