// Calls any tool with the given arguments and shows the result.
import { useState } from "preact/hooks";
import { useI18n } from "../state/language.ts";
import { request } from "../state/mcp.ts";
import { type ToolRow, useOffered } from "../state/offered-tools.ts";

const BLANK = new Map(
  Object.entries<unknown>({
    boolean: false,
    integer: 1,
    number: 0,
    array: [],
  }),
);

/** The required arguments with empty values, ready to be filled in. */
function blankArguments({ inputSchema: { properties = {}, required = [] } }: ToolRow): string {
  const pairs = required.map((key) => [key, BLANK.get(properties[key]?.type ?? "") ?? ""]);
  return JSON.stringify(Object.fromEntries(pairs), null, 2);
}

interface Trial {
  readonly tools: readonly ToolRow[];
  readonly tool: ToolRow | undefined;
  readonly args: string;
  readonly shown: string;
  readonly choose: (name: string) => void;
  readonly setArgs: (args: string) => void;
  readonly submit: (event: Event) => Promise<void>;
}

function useTrial(): Trial {
  const { t, explain } = useI18n();
  const tools = useOffered() ?? [];
  const [chosen, setChosen] = useState<ToolRow>();
  const [args, setArgs] = useState("{}");
  const [shown, setShown] = useState("");
  const tool = chosen ?? tools[0];
  const choose = (name: string) => {
    const found = tools.find((each) => each.name === name);
    setChosen(found);
    setArgs(found ? blankArguments(found) : "{}");
    setShown("");
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    const parsed = parse(args);
    if (parsed) setShown(await callNow(tool?.name, parsed.value).catch(explain));
    else setShown(t("badJson"));
  };
  return { tools, tool, args, shown, choose, setArgs, submit };
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

async function callNow(name: string | undefined, args: unknown): Promise<string> {
  return JSON.stringify(await request("tools/call", { name, arguments: args }), null, 2);
}

export function TryIt() {
  const { t, sayTool } = useI18n();
  const { tools, tool, args, shown, choose, setArgs, submit } = useTrial();
  return (
    <section class="card" aria-labelledby="try">
      <h2 id="try">{t("tryIt")}</h2>
      <form class="form" onSubmit={submit}>
        <label>
          {t("tool")}
          <select value={tool?.name} onChange={(event) => choose(event.currentTarget.value)}>
            {tools.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <p class="muted">{tool && sayTool(tool)}</p>
        <label>
          {t("arguments")}
          <textarea
            rows={4}
            spellcheck={false}
            value={args}
            onInput={(event) => setArgs(event.currentTarget.value)}
          />
        </label>
        <div class="row end">
          <button type="submit">{t("callTool")}</button>
        </div>
      </form>
      {shown && (
        <section aria-label={t("result")}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
          <pre class="code" tabIndex={0}>
            {shown}
          </pre>
        </section>
      )}
    </section>
  );
}
