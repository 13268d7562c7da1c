import { expect, test } from "vitest";
import { openLog, redact } from "./log.ts";
import { openMetrics } from "./metrics.ts";

function lines(level: "debug" | "info", write: (log: ReturnType<typeof openLog>) => void) {
  const out: string[] = [];
  write(openLog({ level, write: (line) => void out.push(line) }));
  return out.map((line) => JSON.parse(line) as Record<string, unknown>);
}

test("a line is JSON with time, level, event and fields; lower levels are silent", () => {
  const [line, ...rest] = lines("info", (log) => {
    log.debug("room.detail");
    log.with({ request: "r1" }).info("room.fact", { count: 2 });
  });
  expect(rest).toEqual([]);
  expect(line).toMatchObject({ level: "info", event: "room.fact", request: "r1", count: 2 });
  expect(line?.["time"]).toMatch(/^\d{4}-/);
});

test("on a terminal a line has the time, the level, the event and its fields, without control sequences", () => {
  const out: string[] = [];
  const write = (line: string) => void out.push(line);
  const cause = new Error("no \x1b[31mroute");
  const log = openLog({ level: "info", format: "text", write });
  log.warn("room.fact", { count: 2, names: ["a", "b"], said: "two words", none: undefined });
  log.error("room.failed", { token: "secret-of-mine", error: new Error("lost", { cause }) });
  const [first = "", second = ""] = out;
  expect(first).toMatch(/^\d\d:\d\d:\d\d warn {2}room\.fact count=2 names=a,b said="two words"\n$/);
  expect(second).toContain("error room.failed token=[redacted] error=lost (");
  expect(out.join("")).not.toContain("\x1b");
  openLog({ level: "info", format: "colour", write }).info("room.fact");
  expect(out.at(-1)).toContain("\x1b[32minfo \x1b[39m");
});

test("secrets, long texts and stacks are not logged", () => {
  const error = new Error("outer", { cause: new Error("inner") });
  const [line] = lines("info", (log) =>
    log.info("room.fact", {
      apiKey: "k",
      nested: { Authorization: "Bearer x", "set-cookie": "c", token: true },
      text: "x".repeat(5000),
      error,
    }),
  );
  expect(line).toMatchObject({
    apiKey: "[redacted]",
    nested: { Authorization: "[redacted]", "set-cookie": "[redacted]", token: true },
    error: { message: "outer", cause: { message: "inner" } },
  });
  expect(JSON.stringify(line)).not.toContain("at ");
  expect(String(line?.["text"]).length).toBeLessThan(600);
});

test('a bearer token in a text is redacted, the words "bearer token" are not', () => {
  const [line] = lines("info", (log) =>
    log.info("room.fact", { a: "sent Bearer s3cret", b: "A valid Bearer token is required." }),
  );
  expect(line).toMatchObject({
    a: "sent Bearer [redacted]",
    b: "A valid Bearer token is required.",
  });
});

test("a URL loses its password, and a cyclic value does not break the log", () => {
  const circle: Record<string, unknown> = { url: "postgres://me:hunter2@host/db" };
  circle["self"] = circle;
  const [line] = lines("info", (log) => log.info("room.fact", circle));
  expect(JSON.stringify(line)).not.toContain("hunter2");
});

test("metrics are rendered as Prometheus reads them", () => {
  const metrics = openMetrics();
  metrics.count("calls_total", "Calls", { tool: 'a"b' });
  metrics.count("calls_total", "Calls", { tool: 'a"b' });
  metrics.observe("seconds", "Time", 0.003);
  metrics.observe("seconds", "Time", 100);
  metrics.gauge("memory", "Memory", () => 7);
  const text = metrics.render();
  expect(text).toContain("# TYPE calls_total counter");
  expect(text).toContain('calls_total{tool="a_b"} 2');
  expect(text).toContain('seconds_bucket{le="0.001"} 0');
  expect(text).toContain('seconds_bucket{le="0.005"} 1');
  expect(text).toContain('seconds_bucket{le="+Inf"} 2');
  expect(text).toContain("seconds_count 2");
  expect(text).toContain("memory 7");
});

test("an unused log leaves no listener in the process", () => {
  const before = process.listenerCount("exit");
  for (let at = 0; at < 20; at++) openLog({ level: "info" });
  expect(process.listenerCount("exit")).toBe(before);
});

test("a member of any name stays a member, and its secrets are redacted", () => {
  const line = redact(JSON.parse('{"__proto__":{"token":"x"},"a":1}'));
  expect(JSON.stringify(line)).toBe('{"__proto__":{"token":"[redacted]"},"a":1}');
});
