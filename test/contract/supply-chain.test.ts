import { expect, test } from "vitest";
import { judgeAudit, missingFrom, toRuntime } from "../../scripts/supply-chain.ts";

const report = (total: number, vulnerabilities: object) =>
  JSON.stringify({
    vulnerabilities,
    metadata: { vulnerabilities: { total }, dependencies: { prod: 40 } },
  });

test("an audit without findings is clean", () => {
  expect(judgeAudit(report(0, {}))).toEqual({ kind: "clean", packages: 40 });
});

test("an audit with findings names the packages", () => {
  expect(judgeAudit(report(1, { "left-pad": {} }))).toEqual({ kind: "weak", names: ["left-pad"] });
});

test("an unreachable registry is reported as such", () => {
  const refused = JSON.stringify({ message: "405 Method Not Allowed", error: {} });
  expect(judgeAudit(refused)).toEqual({ kind: "unknown", reason: "405 Method Not Allowed" });
  expect(judgeAudit("")).toMatchObject({ kind: "unknown" });
});

const LIST = {
  components: [
    { "bom-ref": "zod@4.6.7", purl: "pkg:npm/zod@4.6.7", properties: [] },
    { "bom-ref": "@napi-rs/canvas@1.1.0", purl: "pkg:npm/%40napi-rs/canvas@1.1.0" },
    {
      "bom-ref": "knip@6.44.1",
      purl: "pkg:npm/knip@6.44.1",
      properties: [{ name: "cdx:npm:package:development", value: "true" }],
    },
  ],
  dependencies: [{ ref: "zod@4.6.7" }, { ref: "knip@6.44.1" }],
};

test("the list of packages leaves out what only development needs", () => {
  const { components, dependencies } = toRuntime(LIST);
  expect(components.map((each) => each["bom-ref"])).toEqual(["zod@4.6.7", "@napi-rs/canvas@1.1.0"]);
  expect(dependencies).toEqual([{ ref: "zod@4.6.7" }]);
});

test("a list of packages that lacks a dependency is noticed", () => {
  expect(missingFrom(LIST, ["zod", "@napi-rs/canvas"])).toEqual([]);
  expect(missingFrom(LIST, ["zod", "ws"])).toEqual(["ws"]);
});
