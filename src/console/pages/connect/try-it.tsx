// Calls any tool with the given arguments and shows the result.
import { useState } from "preact/hooks";
import { useI18n } from "../state/language.ts";
import { request } from "../state/mcp.ts";
import { type ToolRow, useOffered } from "../state/offered-tools.ts";

const BLANK = new Map(Object.entries({ boolean: false, integer: 1, number: 0, array: [] }));

/** The required arguments with empty values, ready to be filled in. */
function blankArguments({ inputSchema: { properties = {}, required = [] } }: ToolRow): string {
  const pairs = required.map((key) => [key, BLANK.get(properties[key]?.type ?? "") ?? ""]);
  return JSON.stringify(Object.fromEntries(pairs), null, 2);
}

interface Trial {
  readonly tool: ToolRow | undefined;
  readonly args: string;
  /** The result, or why there is none. */
  readonly shown: string;
}

function useTrial() {
  const tools = useOffered() ?? [];
  const { t, explain } = useI18n();
  const [trial, setTrial] = useState<Trial>({ tool: undefined, args: "{}", shown: "" });
  const { tool = tools[0], args, shown } = trial;
  const choose = (name: string) => {
    const found = tools.find((each) => each.name === name);
    setTrial({ tool: found, args: found ? blankArguments(found) : "{}", shown: "" });
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    const result = await callNow(tool?.name, args).catch((thrown) =>
      thrown instanceof SyntaxError ? t("badJson") : explain(thrown),
    );
    // Another tool may have been chosen meanwhile.
    setTrial((now) => (now.tool === trial.tool ? { ...now, shown: result } : now));
  };
  const setArgs = (next: string) => setTrial((now) => ({ ...now, args: next }));
  return { tools, tool, args, shown, choose, setArgs, submit };
}

async function callNow(name: string | undefined, args: string): Promise<string> {
  const params = { name, arguments: JSON.parse(args) };
  return JSON.stringify(await request("tools/call", params), null, 2);
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
