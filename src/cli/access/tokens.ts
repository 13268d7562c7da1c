// `tokens create`, `list`, `revoke`: who may call a server, without editing its token file by hand.
import { EVERYWHERE, GENERAL_SCOPE, parseGrant } from "../../domain/call/grants.ts";
import { KnowledgeError } from "../../domain/errors.ts";
import { count } from "../../text/english/count.ts";
import type { AccessView, ListedToken } from "../../tools/access/contract.ts";
import type { Operations } from "../../tools/operations.ts";
import { chooseVerb } from "../arguments.ts";
import type { Command, CommandContext } from "../command.ts";

type Act = (operations: Operations, name: string, context: CommandContext) => Promise<number>;

const VERBS = new Map<string, Act>([
  ["create", create],
  ["list", list],
  ["revoke", revoke],
]);

export const tokens: Command = {
  name: "tokens",
  effect: "govern",
  summary: "Manage the token file: create, list, revoke",
  usage: "tokens create NAME --rights RIGHT,… [--until DATE] | list | revoke NAME",
  words: [...VERBS.keys()],
  options: {
    rights: {
      value: "RIGHT,…",
      help: "create: read, write, admin; in one scope read:ID, in it and below write:ID/**",
    },
    until: { value: "DATE", help: "create: refuse it from this date on, such as 2027-01-31" },
  },
  examples: {
    "knowledge-server tokens create ann --rights read,write:webapp/** --token-file tokens.yaml":
      "let Ann read everything, and write in webapp and below it",
    "knowledge-server tokens revoke ann --token-file tokens.yaml": "refuse that token from now on",
  },
  async run(context) {
    const [verb, name = ""] = context.args;
    const act = chooseVerb("tokens", verb, VERBS);
    if (name === "" && verb !== "list") {
      throw new KnowledgeError("MISSING_REQUIRED_PARAMETER", "Specify the token's name.");
    }
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
  if (terminal.asJson) terminal.json({ ...entry, token });
  else terminal.line(token);
  terminal.note("Give it to its owner now: it is not stored and cannot be shown again.");
  const known = new Set([EVERYWHERE, GENERAL_SCOPE, ...scopes.map(({ id }) => id)]);
  const missing = rights
    .map((text) => parseGrant(text)?.scope ?? "")
    .filter((id) => !known.has(id));
  if (missing.length > 0) terminal.note(`These scopes do not exist yet: ${missing.join(", ")}.`);
  return 0;
}

function rightsIn(given: unknown): readonly string[] {
  if (typeof given !== "string") {
    const message = "Specify what it may do: --rights read, or --rights read:checkout-api.";
    throw new KnowledgeError("MISSING_REQUIRED_PARAMETER", message);
  }
  return given.split(",").map((part) => part.trim());
}

function dateIn(text: string): string {
  const date = new Date(text);
  if (/^\d{4}-\d\d-\d\d(T|$)/.test(text) && date.getTime() > Date.now()) return date.toISOString();
  const message = "--until must be a date in the future, such as 2027-01-31.";
  throw new KnowledgeError("INVALID_PARAMETER", message);
}

async function list(
  operations: Operations,
  _name: string,
  { terminal }: CommandContext,
): Promise<number> {
  const { tokens: listed, groups } = await operations.access();
  if (terminal.asJson) terminal.json({ tokens: listed, groups });
  else if (listed.length + groups.length === 0) terminal.note("The token file lists no tokens.");
  else {
    terminal.table<ListedToken>(
      [
        { head: "NAME", value: (row) => row.name },
        { head: "RIGHTS", value: (row) => row.rights.join(", "), shrinks: true },
        { head: "UNTIL", value: (row) => row.until ?? "" },
      ],
      [...listed, ...groups.map(asRow)],
    );
  }
  return 0;
}

function asRow({ name, rights }: AccessView["groups"][number]): ListedToken {
  return { name: `group ${name}`, rights };
}

async function revoke(
  operations: Operations,
  name: string,
  { terminal }: CommandContext,
): Promise<number> {
  const revoked = await operations.revokeToken(name);
  if (terminal.asJson) terminal.json({ name, revoked });
  else terminal.line(`Revoked ${count(revoked, "token")} of ${name}`);
  return 0;
}
