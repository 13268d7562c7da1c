import { useState } from "preact/hooks";
import { useAttempt } from "../parts/dialog.tsx";
import { Button, Card, Icon, Problem, RelativeDate } from "../parts/parts.tsx";
import { languageNow, t } from "../state/language.ts";
import { CallFailed, parse, request, token } from "../state/mcp.ts";
import { type ToolRow, useOffered } from "../state/offered-tools.ts";
import type { Language } from "../state/texts.ts";
import { useApi } from "../state/use-live.tsx";
import { CLIENTS, type Client, type Host, type Snippet, toProcess } from "./clients.ts";
import TOOLS_JA from "./tools-ja.json" with { type: "json" };

export function Connect() {
  const [chosen, setChosen] = useState<Client>(CLIENTS[0]);
  const { data: host } = useApi<Host>("/api/host");
  return (
    <>
      <h1>{t("Connect")}</h1>
      <p>
        {t(
          "Connect your AI client to this knowledge base: choose the client, copy the settings, restart the client.",
        )}
      </p>
      <div class="row tabs" role="tablist" aria-label={t("Connect")}>
        {CLIENTS.map((client) => (
          <Button
            key={client.name}
            role="tab"
            text={client.name}
            aria-selected={client === chosen}
            onClick={() => setChosen(client)}
          />
        ))}
      </div>
      {host && <Snippets client={chosen} host={host} />}
      <Connected />
      <TryIt />
    </>
  );
}

function Snippets({ client, host }: { client: Client; host: Host }) {
  const address = `${location.origin}/mcp`;
  const needsToken = token.get() !== "";
  const http = client.http?.(address, needsToken);
  // A link must not contain a token, which would stay in the browser's history.
  const link = needsToken ? undefined : client.install?.({ url: address });
  return (
    <>
      {http && (
        <ConnectOption
          title={t("Over HTTP, to this running server")}
          to={client.name}
          link={link}
          {...http}
        />
      )}
      <ConnectOption
        title={t("As a local process")}
        to={client.name}
        link={client.install?.(toProcess(host))}
        {...client.stdio(host)}
      />
    </>
  );
}

interface ConnectOptionProps extends Snippet {
  readonly title: string;
  readonly to: string;
  readonly link: string | undefined;
}

function ConnectOption({ title, to, link, file, text }: ConnectOptionProps) {
  return (
    <Card
      title={title}
      more={
        <span class="row">
          {link && (
            <a class="button" href={link}>
              <Icon name="link" /> {t("Add to {0}", to)}
            </a>
          )}
          <CopyButton text={text} />
        </span>
      }
    >
      <p class="muted">{file ? t("Put this into {0}", file) : t("Run this in a terminal")}</p>
      <pre class="code">{text}</pre>
    </Card>
  );
}

function CopyButton({ text }: { text: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <Button class="quiet" icon="copy" onClick={copy}>
      <span aria-live="polite">{t(copied ? "Copied" : "Copy")}</span>
    </Button>
  );
}

interface ConnectedClient {
  readonly name: string;
  readonly version: string;
  readonly transport: string;
  readonly connected_at: string;
}

const EVERY_MS = 2_000;

/** Shows connected clients; a new one appears within seconds. */
function Connected() {
  const { data } = useApi<{ clients: readonly ConnectedClient[] }>("/api/clients", EVERY_MS);
  const clients = data?.clients ?? [];
  return (
    <section class="card" aria-labelledby="connected" aria-live="polite">
      <h2 id="connected">{t("Connected clients")}</h2>
      {clients.length === 0 && (
        <p class="muted">
          {t(
            "No client has connected to this server yet. Clients appear here within seconds after they connect, except those that start their own process.",
          )}
        </p>
      )}
      <ul class="tasks">
        {clients.map(({ name, version, transport, connected_at }) => (
          <li key={`${name} ${transport}`}>
            <span class="badge good">
              <Icon name="check" />
            </span>
            <span class="grow">
              {name} <span class="muted small">{version}</span>
            </span>
            <span class="muted small">
              <RelativeDate iso={connected_at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const BLANK = new Map(Object.entries({ boolean: false, integer: 1, number: 0, array: [] }));

/** The required arguments with empty values, ready to be filled in. */
function blankArguments({ inputSchema: { properties = {}, required = [] } }: ToolRow): string {
  const pairs = required.map((key) => [key, BLANK.get(properties[key]?.type ?? "") ?? ""]);
  return JSON.stringify(Object.fromEntries(pairs), null, 2);
}

function useTrial(name: string | undefined) {
  const [shown, setShown] = useState("");
  const { problem, attempt } = useAttempt();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement).get("arguments");
    setShown("");
    return attempt(async () => {
      const params = { name, arguments: parse(String(given)) };
      if (params.arguments === undefined) throw new CallFailed(t("That is not valid JSON."));
      setShown(JSON.stringify(await request("tools/call", params), null, 2));
    });
  };
  return { shown, problem, submit };
}

function describeTool({ name, description = "" }: ToolRow, language: Language): string {
  const texts: Readonly<Record<string, string>> = TOOLS_JA;
  return language === "ja" && Object.hasOwn(texts, name) ? (texts[name] ?? "") : description;
}

function TryIt() {
  const tools = useOffered() ?? [];
  const [name, setName] = useState("");
  const tool = tools.find((each) => each.name === name) ?? tools[0];
  const { shown, problem, submit } = useTrial(tool?.name);
  return (
    <Card title={t("Try a call")}>
      <form class="form" onSubmit={submit}>
        <label>
          {t("Tool")}
          <select value={tool?.name} onChange={(event) => setName(event.currentTarget.value)}>
            {tools.map((each) => (
              <option key={each.name}>{each.name}</option>
            ))}
          </select>
        </label>
        <p class="muted">{tool && describeTool(tool, languageNow())}</p>
        <label>
          {t("Arguments (JSON)")}
          <textarea
            key={tool?.name}
            name="arguments"
            rows={4}
            spellcheck={false}
            defaultValue={tool && blankArguments(tool)}
          />
        </label>
        <div class="row end">
          <button type="submit">{t("Call")}</button>
        </div>
      </form>
      <Problem text={problem} />
      {shown && <Result text={shown} />}
    </Card>
  );
}

function Result({ text }: { readonly text: string }) {
  return (
    <section aria-label={t("Result")}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <pre class="code" tabIndex={0}>
        {text}
      </pre>
    </section>
  );
}
