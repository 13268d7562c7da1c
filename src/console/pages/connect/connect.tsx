import { useState } from "preact/hooks";
import { CopyButton } from "../parts/copy-button.tsx";
import { useSpeech } from "../state/language.ts";
import { useLive } from "../state/live.ts";
import { authHeaders, request, token } from "../state/mcp.ts";
import { type ToolRow, useOffered } from "../state/offered.ts";
import { CLIENTS, type Client, type Host } from "./clients.ts";

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
      <TryIt />
    </>
  );
}

function Snippets({ client, host }: { client: Client; host: Host }) {
  const { say } = useSpeech();
  const address = `${location.origin}/mcp`;
  const needsToken = token.get() !== "";
  const rows = [
    { title: say("viaHttp"), snippet: client.http?.(address, needsToken) },
    { title: say("viaStdio"), snippet: client.stdio(host) },
  ];
  return (
    <>
      {rows.map(
        ({ title, snippet }) =>
          snippet && (
            <section key={title} class="card" aria-label={title}>
              <div class="row between">
                <h2>{title}</h2>
                <CopyButton text={snippet.text} />
              </div>
              <p class="muted">{snippet.file ? say("putInto", snippet.file) : say("runThis")}</p>
              <pre class="code">{snippet.text}</pre>
            </section>
          ),
      )}
    </>
  );
}

const BLANK: Readonly<Record<string, unknown>> = {
  boolean: false,
  integer: 1,
  number: 0,
  array: [],
};

/** What a call must have, empty, to be filled in. */
function blankArguments({ inputSchema: { properties = {}, required = [] } }: ToolRow): string {
  const pairs = required.map((key) => [key, BLANK[properties[key]?.type ?? ""] ?? ""]);
  return JSON.stringify(Object.fromEntries(pairs), null, 2);
}

function TryIt() {
  const { say } = useSpeech();
  const tools = useOffered() ?? [];
  const [chosen, setChosen] = useState<ToolRow>();
  const tool = chosen ?? tools[0];
  const [args, setArgs] = useState("{}");
  const [shown, setShown] = useState("");
  const choose = (next: string) => {
    const found = tools.find((each) => each.name === next);
    setChosen(found);
    setArgs(found ? blankArguments(found) : "{}");
    setShown("");
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    let parsed: unknown;
    try {
      parsed = JSON.parse(args);
    } catch {
      setShown(say("badJson"));
      return;
    }
    try {
      setShown(
        JSON.stringify(
          await request("tools/call", { name: tool?.name, arguments: parsed }),
          null,
          2,
        ),
      );
    } catch (thrown) {
      setShown(thrown instanceof Error ? thrown.message : String(thrown));
    }
  };
  return (
    <section class="card" aria-labelledby="try">
      <h2 id="try">{say("tryIt")}</h2>
      <form class="form" onSubmit={submit}>
        <label>
          {say("tool")}
          <select value={tool?.name} onChange={(event) => choose(event.currentTarget.value)}>
            {tools.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <p class="muted">{tool?.description}</p>
        <label>
          {say("arguments")}
          <textarea
            rows={4}
            spellcheck={false}
            value={args}
            onInput={(event) => setArgs(event.currentTarget.value)}
          />
        </label>
        <div class="row end">
          <button type="submit">{say("callTool")}</button>
        </div>
      </form>
      {shown && (
        <section aria-label={say("result")}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <pre class="code" tabIndex={0}>
            {shown}
          </pre>
        </section>
      )}
    </section>
  );
}
