// A log line for a person at a terminal: time, level, event, then its fields.
import { styleText } from "node:util";
import { inertText } from "../text/clean/inert.ts";

type Fields = Readonly<Record<string, unknown>>;
type Style = Parameters<typeof styleText>[0];

const LEVELS = new Map(
  Object.entries<Style>({
    debug: "dim",
    info: "green",
    warn: "yellow",
    error: "red",
  }),
);

/** `colour`: false where the terminal or NO_COLOR says so. */
export function toReadableLine(line: Fields, colour: boolean): string {
  const { time, level, event, ...fields } = line;
  const paint = (style: Style, text: string) =>
    colour ? styleText(style, text, { validateStream: false }) : text;
  const name = String(level);
  const parts = [
    paint("dim", clockOf(String(time))),
    paint(LEVELS.get(name) ?? "dim", name.padEnd(5)),
    paint("bold", inertText(String(event))),
    ...Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => `${paint("dim", `${inertText(key)}=`)}${describe(value)}`),
  ];
  return parts.join(" ");
}

function clockOf(iso: string): string {
  const date = new Date(iso);
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}

function describe(value: unknown): string {
  if (Array.isArray(value) && value.every((each) => typeof each !== "object"))
    return inertText(value.join(","));
  if (typeof value === "object" && value !== null) return describeObject(value);
  const text = inertText(String(value));
  return /\s/.test(text) || text === "" ? JSON.stringify(text) : text;
}

/** For an error, the message and its cause are enough. */
function describeObject(value: object): string {
  if (!("message" in value)) return inertText(JSON.stringify(value));
  const cause = "cause" in value ? ` (${describe(value.cause)})` : "";
  return `${describe(value.message)}${cause}`;
}
