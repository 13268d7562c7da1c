// `tokens create`, `list`, `revoke`: who may call a server, without editing its token file by hand.
import { EVERYWHERE, GENERAL_SCOPE, parseGrant } from "../../domain/call/grants.ts";
import type { ListedToken } from "../../tools/access/contract.ts";
import type { Operations } from "../../tools/operations.ts";
import { chooseVerb, missing } from "../arguments.ts";
import type { Command, CommandContext } from "../command.ts";
import { refusal } from "../texts.ts";

type Act = (operations: Operations, name: string, context: CommandContext) => Promise<number>;

const VERBS = new Map<string, Act>([
  ["create", create],
  ["list", list],
  ["revoke", revoke],
]);

export const tokens: Command = {
  name: "tokens",
  effect: "govern",
  usage: "tokens create NAME --rights RIGHT,… [--until DATE] | list | revoke NAME",
  words: [...VERBS.keys()],
  options: {
    rights: { value: "RIGHT,…" },
    until: { value: "DATE" },
  },
  examples: [
    "knowledge-server tokens create ann --rights read,write:webapp/** --token-file tokens.yaml",
    "knowledge-server tokens revoke ann --token-file tokens.yaml",
  ],
  async run(context) {
    const [verb, name = ""] = context.args;
    const act = chooseVerb("tokens", verb, VERBS);
    if (name === "" && verb !== "list") throw missing("NAME");
    return act((await context.openApp()).operations, name, context);
  },
};

async function create(
  operations: Operations,
  name: string,
  { options, terminal }: CommandContext,
): Promise<number> {
  const rights = rightsIn(options["rights"]);
  const until = typeof options["until"] === "string" ? dateIn(options["until"]) : undefined;
  const { scopes } = await operations.access();
  const entry: ListedToken = { name, rights, ...(until === undefined ? {} : { until }) };
  const token = await operations.createToken(entry);
  terminal.result({ ...entry, token }, () => terminal.line(token));
  terminal.note(terminal.t("tokenOnce"));
  const known = new Set([EVERYWHERE, GENERAL_SCOPE, ...scopes.map(({ id }) => id)]);
  const unknown = rights
    .map((text) => parseGrant(text)?.scope ?? "")
    .filter((id) => !known.has(id));
  if (unknown.length > 0)
    terminal.note(terminal.t("scopesMissing", [...new Set(unknown)].join(", ")));
  return 0;
}

function rightsIn(given: unknown): readonly string[] {
  if (typeof given !== "string") throw missing("--rights");
  return given.split(",").map((part) => part.trim());
}

function dateIn(text: string): string {
  const date = new Date(text);
  if (/^\d{4}-\d\d-\d\d(T|$)/.test(text) && date.getTime() > Date.now()) return date.toISOString();
  throw refusal("INVALID_PARAMETER", "takesDate");
}

async function list(
  operations: Operations,
  _name: string,
  { terminal }: CommandContext,
): Promise<number> {
  const { tokens: listed, groups } = await operations.access();
  const { t } = terminal;
  const members = groups.map(({ name, rights }) => ({ name: t("groupName", name), rights }));
  if (terminal.asJson) terminal.json({ tokens: listed, groups });
  else if (listed.length + groups.length === 0) terminal.note(t("noTokens"));
  else
    terminal.table<ListedToken>(
      [
        { head: "headName", value: (row) => row.name },
        { head: "headRights", value: (row) => row.rights.join(", "), shrinks: true },
        { head: "headUntil", value: (row) => row.until ?? "" },
      ],
      [...listed, ...members],
    );
  return 0;
}

async function revoke(
  operations: Operations,
  name: string,
  { terminal }: CommandContext,
): Promise<number> {
  const revoked = await operations.revokeToken(name);
  terminal.result({ name, revoked }, () => terminal.line(terminal.t("revoked", revoked, name)));
  return 0;
}
