import { useState } from "preact/hooks";
import { CopyButton } from "../parts/copy-button.tsx";
import { Icon } from "../parts/icon.tsx";
import { useSpeech } from "../state/language.ts";
import { authHeaders, token } from "../state/mcp.ts";
import { useLive } from "../state/use-live.ts";
import { CLIENTS, type Client, type Host, type Snippet, toProcess } from "./clients.ts";
import { Connected } from "./connected.tsx";
import { TryIt } from "./try-it.tsx";

export function Connect() {
  const { say } = useSpeech();
  const [chosen, setChosen] = useState<Client>(CLIENTS[0]);
  const { data: host } = useLive(
    async (signal): Promise<Host> =>
      (await fetch("/api/host", { signal, headers: authHeaders() })).json(),
    0,
  );
  return (
    <>
      <h1>{say("connect")}</h1>
      <p>{say("connectIntro")}</p>
      <div class="row tabs" role="tablist" aria-label={say("connect")}>
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
  const { say } = useSpeech();
  const address = `${location.origin}/mcp`;
  const needsToken = token.get() !== "";
  const rows = [
    {
      title: say("viaHttp"),
      snippet: client.http?.(address, needsToken),
      // A link must not contain a token, which would stay in the browser's history.
      link: needsToken ? undefined : client.install?.({ url: address }),
    },
    {
      title: say("viaStdio"),
      snippet: client.stdio(host),
      link: client.install?.(toProcess(host)),
    },
  ];
  return (
    <>
      {rows.map(
        (row) => row.snippet && <Way key={row.title} {...row} {...row.snippet} to={client.name} />,
      )}
    </>
  );
}

interface WayProps extends Snippet {
  readonly title: string;
  readonly to: string;
  readonly link: string | undefined;
}

function Way({ title, to, link, file, text }: WayProps) {
  const { say } = useSpeech();
  return (
    <section class="card" aria-label={title}>
      <div class="row between">
        <h2>{title}</h2>
        <span class="row">
          {link && (
            <a class="button" href={link}>
              <Icon name="link" /> {say("addTo", to)}
            </a>
          )}
          <CopyButton text={text} />
        </span>
      </div>
      <p class="muted">{file ? say("putInto", file) : say("runThis")}</p>
      <pre class="code">{text}</pre>
    </section>
  );
}
