import type { Server } from "@modelcontextprotocol/server";
import { type Connection, type Parts, runRequest } from "../call-context.ts";
import { invalidParams } from "../errors.ts";
import { ANY, GET_PROMPT, LIST, readParams } from "../params.ts";

export function offerPrompts(server: Server, parts: Parts, connection: Connection): void {
  const { catalogue, toolbox } = parts;
  server.setRequestHandler("prompts/list", ANY, (params, context) =>
    runRequest(parts, { context, connection, server }, async () => {
      readParams(LIST, params);
      return catalogue.prompts;
    }),
  );
  server.setRequestHandler("prompts/get", ANY, (params, context) =>
    runRequest(parts, { context, connection, server }, async (call) => {
      const { name: asked, arguments: args = {} } = readParams(GET_PROMPT, params);
      const prompt = toolbox.prompts.find((each) => each.name === asked);
      const missing = prompt?.arguments.find(({ name, required }) => required && !args[name]);
      if (!prompt || missing) {
        const problem = missing
          ? `The argument '${missing.name}' is required.`
          : "There is no such prompt.";
        throw invalidParams(missing ? "missing_required_parameter" : "unknown_prompt", problem);
      }
      const messages = await prompt.render(args, call);
      return {
        description: prompt.description,
        messages: messages.map(({ role, text }) => ({
          role,
          content: { type: "text" as const, text },
        })),
      };
    }),
  );
}
