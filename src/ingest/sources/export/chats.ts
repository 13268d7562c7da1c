// Conversations with ChatGPT and Claude, each a document: who wrote what when. Both name their file conversations.json.
import * as z from "zod";
import type { Export, ExportFile } from "./files.ts";
import { lastOf } from "./files.ts";
import { elementsOf } from "./json-elements.ts";
import { type ExportItem, type ExportReader, listed, timeOf, written } from "./reader.ts";

/** Large exports of ChatGPT have conversations-000.json and more. */
const NAME = /^conversations(?:-\d+)?\.json$/;

export const chats: ExportReader = {
  hasAll: true,
  async *list({ files }: Export) {
    for (const file of files.filter(isChatFile))
      for await (const element of elementsOf(file.read())) {
        const item = toItem(element);
        if (item) yield item;
      }
  },
};

export function isChatFile({ name }: ExportFile): boolean {
  return NAME.test(lastOf(name)) || lastOf(name) === "projects.json";
}

function toItem(element: unknown): ExportItem | undefined {
  return fromChatGpt(element) ?? fromClaude(element) ?? fromClaudeProject(element);
}

const text = z.string().nullish();
const seconds = z.number().nullish();

const GptMessage = z.object({
  author: z.object({ role: z.string() }),
  create_time: seconds,
  content: z.object({ parts: z.array(z.unknown()).nullish(), text }),
  metadata: z
    .object({ is_visually_hidden_from_conversation: z.boolean(), model_slug: text })
    .partial()
    .nullish(),
});
const GptConversation = z.object({
  id: text,
  conversation_id: text,
  title: text,
  create_time: seconds,
  update_time: seconds,
  current_node: text,
  mapping: z.record(z.string(), z.object({ message: z.unknown(), parent: text })),
});

function fromChatGpt(element: unknown): ExportItem | undefined {
  const { data } = GptConversation.safeParse(element);
  if (!data) return undefined;
  const messages = shownBranch(data);
  const turns = messages.flatMap(({ author, content, create_time: at }): readonly Turn[] => {
    const parts = content.parts?.filter((part) => typeof part === "string");
    const said = parts?.join("\n\n") ?? content.text ?? "";
    const by = author.role === "user" ? "User" : "ChatGPT";
    return said.trim() === "" ? [] : [{ by, at: fromSeconds(at), said }];
  });
  const models = listed(messages.map(({ metadata }) => metadata?.model_slug ?? undefined));
  const { id, conversation_id: other, create_time: began, update_time: ended, title } = data;
  return toConversation({
    item: `chatgpt:${other ?? id ?? began}`,
    ...{ title, began: fromSeconds(began), ended: fromSeconds(ended), turns },
    metadata: { tool: "ChatGPT", ...(models.length > 0 && { models }) },
  });
}

/** A tree, because a question can be asked again: what is shown are the messages from the current one up. */
function shownBranch({ mapping, current_node: current }: z.infer<typeof GptConversation>) {
  const nodes = new Map(Object.entries(mapping));
  const messages: z.infer<typeof GptMessage>[] = [];
  let at = current ?? [...nodes.keys()].at(-1);
  for (let left = nodes.size; left > 0 && at; left -= 1) {
    const node = nodes.get(at);
    const { data } = GptMessage.safeParse(node?.message);
    if (data && isShown(data)) messages.push(data);
    at = node?.parent ?? undefined;
  }
  return messages.reverse();
}

function isShown({ author, metadata }: z.infer<typeof GptMessage>): boolean {
  if (metadata?.is_visually_hidden_from_conversation) return false;
  return author.role === "user" || author.role === "assistant";
}

const fromSeconds = (given: number | null | undefined) => new Date((given ?? Number.NaN) * 1000);
const fromText = (given: string | null | undefined) => new Date(given ?? Number.NaN);

const ClaudeMessage = z.object({
  sender: z.string(),
  text,
  created_at: text,
  content: z.array(z.object({ type: z.string(), text }).partial()).nullish(),
  attachments: z.array(z.object({ file_name: text, extracted_content: text })).nullish(),
});
const ClaudeConversation = z.object({
  uuid: z.string(),
  name: text,
  created_at: text,
  updated_at: text,
  chat_messages: z.array(z.unknown()),
});

function fromClaude(element: unknown): ExportItem | undefined {
  const { data } = ClaudeConversation.safeParse(element);
  if (!data) return undefined;
  const turns = data.chat_messages.flatMap((each): readonly Turn[] => {
    const { data: message } = ClaudeMessage.safeParse(each);
    if (!message) return [];
    const { sender, text: plain, content, attachments } = message;
    const parts = content?.filter(({ type }) => type === "text").map((part) => part.text ?? "");
    const attached = attachments?.map(
      ({ file_name: name, extracted_content: inside }) =>
        `Attachment ${name ?? ""}:\n\n${inside ?? ""}`,
    );
    const said = [parts?.join("\n\n") || (plain ?? ""), ...(attached ?? [])].join("\n\n");
    const by = sender === "human" ? "User" : "Claude";
    return said.trim() === "" ? [] : [{ by, at: fromText(message.created_at), said }];
  });
  const { uuid, name: title, created_at: began, updated_at: ended } = data;
  const times = { began: fromText(began), ended: fromText(ended) };
  return toConversation({
    item: `claude:${uuid}`,
    title,
    turns,
    ...times,
    metadata: { tool: "Claude" },
  });
}

interface Turn {
  readonly by: string;
  readonly at: Date;
  readonly said: string;
}

interface Conversation {
  readonly item: string;
  readonly title: string | null | undefined;
  readonly began: Date;
  readonly ended: Date;
  readonly turns: readonly Turn[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

function toConversation({ title: given, turns, began, ended, ...rest }: Conversation) {
  if (turns.length === 0) return undefined;
  const title = given?.trim() || `Conversation of ${timeOf(began).slice(0, 10)}`;
  const said = turns.map(
    ({ by, at, said }) => `## ${[by, timeOf(at)].filter(Boolean).join(", ")}\n\n${said}`,
  );
  const date = timeOf(began).slice(0, 10);
  const metadata = {
    ...rest.metadata,
    authors: listed(turns.map(({ by }) => by)),
    ...(date && { date }),
  };
  return written({
    item: rest.item,
    path: title,
    title,
    lines: [`# ${title}`, ...said],
    metadata,
    modified: ended.getTime(),
  });
}

const ClaudeProject = z.object({
  uuid: z.string(),
  name: z.string(),
  description: text,
  prompt_template: text,
  created_at: text,
  docs: z.array(z.object({ filename: text, content: text })),
});

/** A project of Claude, with the documents that were given to it. */
function fromClaudeProject(element: unknown): ExportItem | undefined {
  const { data } = ClaudeProject.safeParse(element);
  if (!data) return undefined;
  const { uuid, name, description, prompt_template: prompt, docs } = data;
  const files = docs.map(
    ({ filename, content }) => `## ${filename ?? "Document"}\n\n${content ?? ""}`,
  );
  const lines = [`# ${name}`, description ?? "", prompt ?? "", ...files].filter(
    (each) => each.trim() !== "",
  );
  const metadata = { tool: "Claude", project: name };
  return written({
    item: `claude:${uuid}`,
    path: name,
    title: name,
    lines,
    metadata,
    modified: data.created_at ?? undefined,
  });
}
