import { useState } from "preact/hooks";
import { CopyButton } from "../parts/copy-button.tsx";
import { Icon } from "../parts/icon.tsx";
import { useI18n } from "../state/language.ts";
import { authHeaders, token } from "../state/mcp.ts";
import { useLive } from "../state/use-live.ts";
import { CLIENTS, type Client, type Host, type Snippet, toProcess } from "./clients.ts";
import { Connected } from "./connected.tsx";
import { TryIt } from "./try-it.tsx";

export function Connect() {
  const { t } = useI18n();
  const [chosen, setChosen] = useState<Client>(CLIENTS[0]);
  const { data: host } = useLive(
    async (signal): Promise<Host> =>
      (await fetch("/api/host", { signal, headers: authHeaders() })).json(),
    0,
  );
  return (
    <>
      <h1>{t("connect")}</h1>
      <p>{t("connectIntro")}</p>
      <div class="row tabs" role="tablist" aria-label={t("connect")}>
        {CLIENTS.map((client) => (
          <button
            key={client.name}
            type="button"
            role="tab"
            aria-selected={client === chosen}
            onClick={() => setChosen(client)}
          >
            {client.name}
          </button>
        ))}
      </div>
      {host && <Snippets client={chosen} host={host} />}
      <Connected />
      <TryIt />
    </>
  );
}

function Snippets({ client, host }: { client: Client; host: Host }) {
  const { t } = useI18n();
  const address = `${location.origin}/mcp`;
  const needsToken = token.get() !== "";
  const rows = [
    {
      title: t("viaHttp"),
      snippet: client.http?.(address, needsToken),
      // A link must not contain a token, which would stay in the browser's history.
      link: needsToken ? undefined : client.install?.({ url: address }),
    },
    {
      title: t("viaStdio"),
      snippet: client.stdio(host),
      link: client.install?.(toProcess(host)),
    },
  ];
  return (
    <>
      {rows.map(
        (row) =>
          row.snippet && (
            <ConnectOption key={row.title} {...row} {...row.snippet} to={client.name} />
          ),
      )}
    </>
  );
}

interface ConnectOptionProps extends Snippet {
  readonly title: string;
  readonly to: string;
  readonly link: string | undefined;
}

function ConnectOption({ title, to, link, file, text }: ConnectOptionProps) {
  const { t } = useI18n();
  return (
    <section class="card" aria-label={title}>
      <div class="row between">
        <h2>{title}</h2>
        <span class="row">
          {link && (
            <a class="button" href={link}>
              <Icon name="link" /> {t("addTo", to)}
            </a>
          )}
          <CopyButton text={text} />
        </span>
      </div>
      <p class="muted">{file ? t("putInto", file) : t("runThis")}</p>
      <pre class="code">{text}</pre>
    </section>
  );
}
