// The contract of the documents family: each tool's name and shapes, and the types that others infer from them.
import * as z from "zod";
import type { Given } from "../contract.ts";
import { added, addedFolder, addInput, queued } from "./shapes/add.ts";
import { addTextInput } from "./shapes/add-text.ts";
import { addUrlInput } from "./shapes/add-url.ts";
import { failure } from "./shapes/outcome.ts";
import { read, readInput } from "./shapes/read.ts";
import {
  cleared,
  clearInput,
  notCleared,
  notRemoved,
  removed,
  removeInput,
} from "./shapes/remove.ts";
import { found, searchInput } from "./shapes/search.ts";
import { showInput, shown } from "./shapes/show.ts";
import { state } from "./shapes/status.ts";
import { cancelled, type listedTask, task, taskInput } from "./shapes/task.ts";
import type { documentView, tasksView } from "./shapes/view.ts";

export const KNOWLEDGE_ADD = {
  name: "knowledge-add",
  input: addInput,
  success: z.union([queued, added, addedFolder]),
  failure,
} as const;

/** With `async` false. */
export const ADD_NOW = { ...KNOWLEDGE_ADD, success: z.union([added, addedFolder]) } as const;

export const KNOWLEDGE_ADD_TEXT = {
  name: "knowledge-add-text",
  input: addTextInput,
  success: z.union([queued, added, addedFolder]),
  failure,
} as const;

export const KNOWLEDGE_ADD_URL = {
  name: "knowledge-add-url",
  input: addUrlInput,
  success: z.union([queued, added, addedFolder]),
  failure,
} as const;

/** With `async` false, of one document. */
export const ADD_URL_NOW = { ...KNOWLEDGE_ADD_URL, success: added } as const;

export const KNOWLEDGE_READ = {
  name: "knowledge-read",
  input: readInput,
  success: read,
  failure,
} as const;

export const KNOWLEDGE_SEARCH = {
  name: "knowledge-search",
  input: searchInput,
  success: found,
  failure,
} as const;

export const KNOWLEDGE_REMOVE = {
  name: "knowledge-remove",
  input: removeInput,
  success: removed,
  failure: notRemoved,
} as const;

export const KNOWLEDGE_SHOW = {
  name: "knowledge-show",
  input: showInput,
  success: shown,
  failure,
} as const;

export { CLEAR_PHRASE } from "./shapes/remove.ts";

export const KNOWLEDGE_CLEAR = {
  name: "knowledge-clear",
  input: clearInput,
  success: cleared,
  failure: notCleared,
} as const;

export const KNOWLEDGE_STATUS = {
  name: "knowledge-status",
  input: z.object({}),
  success: state,
  failure,
} as const;

export const KNOWLEDGE_TASK_STATUS = {
  name: "knowledge-task-status",
  input: taskInput,
  success: task,
  failure,
} as const;

export const KNOWLEDGE_TASK_CANCEL = {
  name: "knowledge-task-cancel",
  input: taskInput,
  success: cancelled,
  failure,
} as const;

export type Queued = Given<z.output<typeof queued>>;
export type Added = Given<z.output<typeof added>>;
export type AddedFolder = Given<z.output<typeof addedFolder>>;
export type Refused = Given<z.output<typeof failure>>;
export type SearchAnswer = Given<z.output<typeof found>>;
export type SearchResult = SearchAnswer["results"][number];
export type Filters = NonNullable<z.output<typeof searchInput>["filters"]>;
export type DocumentList = Given<z.output<typeof shown>>;
export type DocumentRow = DocumentList["documents"][number];
export type Status = Given<z.output<typeof state>>;
export type TaskPayload = Given<z.output<typeof task>>;
export type TaskState = TaskPayload["status"];
export type ListedTask = Given<z.output<typeof listedTask>>;
export type TasksView = Given<z.output<typeof tasksView>>;
export type DocumentView = Given<z.output<typeof documentView>>;
export type Place = DocumentView["blocks"][number]["place"];
export {
  IMAGE_SIZES,
  type ImageSize,
  type OriginalView,
  type PageWord,
} from "./shapes/original-view.ts";
