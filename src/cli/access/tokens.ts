// `tokens create`, `list`, `revoke`: who may call a server, without editing its token file by hand.
import { EVERYWHERE, GENERAL_SCOPE, parseGrant } from "../../domain/call/grants.ts";
import { defined } from "../../domain/defined.ts";
import type { ListedToken } from "../../tools/access/contract.ts";
import { missing, onlyArgument } from "../arguments.ts";
import { type CommandContext, commandWithVerbs } from "../command.ts";
import { refusal } from "../texts.ts";

const OPTIONS = {
  rights: {
    help: "create: read, write, admin; in one scope read:ID, in it and below write:ID/**",
    value: "RIGHT,…",
  },
  until: { help: "create: refuse it from this date on, such as 2027-01-31", value: "DATE" },
} as const;

type Context = CommandContext<typeof OPTIONS>;

export const tokens = commandWithVerbs({
  name: "tokens",
  summary: "Manage the token file: create, list, revoke",
  effect: "govern",
  usage: "tokens create NAME --rights RIGHT,… [--until DATE] | list | revoke NAME",
  options: OPTIONS,
  examples: `
    knowledge-server tokens create ann --rights read,write:webapp/** --token-file tokens.yaml  # let Ann read everything, and write in webapp and below it
    knowledge-server tokens revoke ann --token-file tokens.yaml  # refuse that token from now on
  `,
  verbs: { create, list, revoke },
});

async function create({ args, options, openApp, terminal }: Context): Promise<number> {
  const name = onlyArgument(args, "NAME");
  const rights = rightsIn(options.rights);
  const until = options.until === undefined ? undefined : dateIn(options.until);
  const { operations } = await openApp();
  const { scopes } = await operations.access();
  const entry: ListedToken = { name, rights, ...defined({ until }) };
  const token = await operations.createToken(entry);
  terminal.result({ ...entry, token }, () => terminal.line(token));
  terminal.notify("Give it to its owner now: it is not stored and cannot be shown again.");
  const known = new Set([EVERYWHERE, GENERAL_SCOPE, ...scopes.map(({ id }) => id)]);
  const unknown = rights
    .map((text) => parseGrant(text)?.scope ?? "")
    .filter((id) => !known.has(id));
  if (unknown.length > 0)
    terminal.notify("These scopes do not exist yet: {0}.", [...new Set(unknown)].join(", "));
  return 0;
}

function rightsIn(given: readonly string[]): readonly string[] {
  if (given.length === 0) throw missing("--rights");
  return given.flatMap((list) => list.split(",")).map((right) => right.trim());
}

function dateIn(text: string): string {
  const date = new Date(text);
  if (/^\d{4}-\d\d-\d\d(T|$)/.test(text) && date.getTime() > Date.now()) return date.toISOString();
  throw refusal("INVALID_PARAMETER", "--until must be a date in the future, such as 2027-01-31.");
}

async function list({ openApp, terminal }: Context): Promise<number> {
  const { tokens: listed, groups } = await (await openApp()).operations.access();
  const members = groups.map(({ name, rights }) => ({
    name: terminal.t("group {0}", name),
    rights,
  }));
  if (terminal.asJson) terminal.json({ tokens: listed, groups });
  else
    terminal.list<ListedToken>(
      [...listed, ...members],
      [
        { head: "Name", value: (row) => row.name },
        { head: "Rights", value: (row) => row.rights.join(", "), shrinks: true },
        { head: "Until", value: (row) => row.until ?? "" },
      ],
      "The token file lists no tokens.",
    );
  return 0;
}

async function revoke({ args, openApp, terminal }: Context): Promise<number> {
  const name = onlyArgument(args, "NAME");
  const revoked = await (await openApp()).operations.revokeToken(name);
  terminal.result({ name, revoked }, () =>
    terminal.report("Revoked {0|token|tokens} of {1}", revoked, name),
  );
  return 0;
}
