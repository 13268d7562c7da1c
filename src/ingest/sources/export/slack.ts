// Messages of Slack: a document per channel and day, in which replies follow the message that they belong to, also
// those of later days.
import * as z from "zod";
import { KnowledgeError } from "../../../domain/errors.ts";
import { toMessage } from "../../../domain/phrases/messages.ts";
import type { Export, ExportFile } from "./files.ts";
import { lastOf } from "./files.ts";
import { elementsOf } from "./json-elements.ts";
import { type ExportItem, type ExportReader, listed, timeOf, written } from "./reader.ts";

export const slack: ExportReader = { hasAll: false, list };

export function isSlack({ files }: Export): boolean {
  const names = new Set(files.map(({ name }) => lastOf(name)));
  const hasUsers = names.has("users.json") || names.has("org_users.json");
  return hasUsers && (names.has("channels.json") || names.has("dms.json"));
}

/** Of one channel, which is held in memory. */
const MAX_CHARACTERS = 100_000_000;
const DAY = /^(.*?)([^/]+)\/\d{4}-\d{2}-\d{2}\.json$/;

const text = z.string().nullish();
const User = z.object({
  id: z.string(),
  team_id: text,
  name: text,
  real_name: text,
  profile: z.object({ real_name: text, display_name: text }).partial().nullish(),
});
const Channel = z.object({ id: z.string(), name: text, members: z.array(z.string()).nullish() });
const Message = z.object({
  type: z.literal("message"),
  ts: z.string().regex(/^\d{1,12}\.\d{1,9}$/),
  thread_ts: text,
  subtype: text,
  user: text,
  username: text,
  text,
  files: z.array(z.object({ name: text, title: text })).nullish(),
  attachments: z.array(z.object({ title: text, text, fallback: text })).nullish(),
});
type Message = z.infer<typeof Message>;

interface Names {
  readonly team: string;
  readonly users: ReadonlyMap<string, string>;
  /** By id, and by the name of their folder. */
  readonly channels: ReadonlyMap<string, { readonly id: string; readonly name: string }>;
}

async function* list({ files }: Export): AsyncGenerator<ExportItem> {
  const names = await readNames(files);
  const days = Map.groupBy(files, ({ name }) => DAY.exec(name)?.[2] ?? "");
  for (const [folder, inFolder] of days) {
    if (folder === "") continue;
    const messages = await readMessages(inFolder);
    const channel = names.channels.get(folder) ?? { id: folder, name: `#${folder}` };
    yield* toDays(messages, channel, names);
  }
}

async function readNames(files: readonly ExportFile[]): Promise<Names> {
  const users = new Map<string, string>();
  const channels = new Map<string, { readonly id: string; readonly name: string }>();
  let team = "slack";
  for await (const user of parsed(files, /^(?:org_)?users\.json$/, User)) {
    const { id, profile, real_name: real, name, team_id: id_ } = user;
    users.set(id, profile?.real_name || real || profile?.display_name || name || id);
    if (id_) team = id_;
  }
  for (const file of ["channels.json", "groups.json", "mpims.json", "dms.json"])
    for await (const { id, name, members } of parsed(files, new RegExp(`^${file}$`), Channel)) {
      const isDirect = file === "dms.json" || file === "mpims.json";
      const people = (members ?? []).map((each) => users.get(each) ?? each).join(", ");
      const channel = { id, name: isDirect ? people : `#${name ?? id}` };
      channels.set(id, channel).set(name ?? id, channel);
    }
  return { team, users, channels };
}

async function* parsed<T>(files: readonly ExportFile[], name: RegExp, shape: z.ZodType<T>) {
  const file = files.find((each) => name.test(lastOf(each.name)));
  if (file === undefined) return;
  for await (const element of elementsOf(file.read())) {
    const { data } = shape.safeParse(element);
    if (data !== undefined) yield data;
  }
}

/** Without who joined and left. */
const LEFT_OUT =
  /^(?:channel|group)_(?:join|leave|topic|purpose|name|archive|unarchive)$|^(?:tombstone|bot_add|bot_remove|pinned_item)$/;

async function readMessages(days: readonly ExportFile[]): Promise<readonly Message[]> {
  const messages: Message[] = [];
  let size = 0;
  for (const day of days)
    for await (const element of elementsOf(day.read())) {
      const { data } = Message.safeParse(element);
      if (!data || LEFT_OUT.test(data.subtype ?? "")) continue;
      size += (data.text?.length ?? 0) + 500;
      if (size > MAX_CHARACTERS)
        throw new KnowledgeError("EXTRACTION_LIMIT", toMessage("exportChannel"));
      messages.push(data);
    }
  return messages.toSorted((a, b) => Number(a.ts) - Number(b.ts));
}

function* toDays(
  messages: readonly Message[],
  channel: { readonly id: string; readonly name: string },
  names: Names,
): Generator<ExportItem> {
  const known = new Set(messages.map(({ ts }) => ts));
  // A reply whose first message is not in this export begins for itself.
  const startOf = ({ ts, thread_ts: thread }: Message) =>
    thread && known.has(thread) ? thread : ts;
  const threads = Map.groupBy(messages, startOf);
  const days = Map.groupBy(threads, ([start]) => dateOf(start).toISOString().slice(0, 10));
  for (const [day, started] of days) {
    const all = started.flatMap(([, each]) => each);
    const authors = listed(all.map((each) => authorOf(each, names)));
    const lines = started.flatMap(([start, each]) => toThread(start, each, names));
    const last = all.reduce((latest, { ts }) => Math.max(latest, Number(ts)), 0);
    yield written({
      item: `slack:${names.team}/${channel.id}/${day}`,
      path: `${channel.name.replace(/^#/, "")}/${day}`,
      title: `${channel.name} ${day}`,
      lines: [`# ${channel.name}, ${day}`, ...lines],
      metadata: { tool: "Slack", channel: channel.name, date: day, authors },
      modified: last * 1000,
    });
  }
}

function toThread(start: string, messages: readonly Message[], names: Names): readonly string[] {
  return messages.map((message) => {
    const head = `**${authorOf(message, names)}**, ${timeOf(dateOf(message.ts))}`;
    const said = `${head}: ${contentOf(message, names)}`;
    return message.ts === start ? said : `- ${said.replaceAll("\n", "\n  ")}`;
  });
}

function dateOf(ts: string): Date {
  return new Date(Number(ts) * 1000);
}

function authorOf({ user, username }: Message, { users }: Names): string {
  return users.get(user ?? "") ?? username ?? user ?? "unknown";
}

function contentOf({ text: said, files, attachments }: Message, names: Names): string {
  const attached = (attachments ?? []).map(
    (each) => each.text || each.fallback || each.title || "",
  );
  const named = (files ?? []).map(({ title, name }) => `(file: ${title || name || "untitled"})`);
  const parts = [said ?? "", ...attached].map((each) => plain(each, names));
  return [...parts, ...named].filter((each) => each !== "").join("\n\n");
}

/** `<@U1>`, `<#C1|general>`, `<https://x|label>` and three escaped characters. */
function plain(markup: string, { users, channels }: Names): string {
  return markup
    .replace(/<([@#!]?)([^<>|]{1,2000})(?:\|([^<>]{0,2000}))?>/g, (_, sign, id, label) => {
      if (sign === "@") return `@${users.get(id) ?? label ?? id}`;
      if (sign === "#") return label ? `#${label}` : (channels.get(id)?.name ?? `#${id}`);
      if (sign === "!") return `@${label ?? id.replace(/\^.*/, "")}`;
      return label && label !== id ? `[${label}](${id})` : id;
    })
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
