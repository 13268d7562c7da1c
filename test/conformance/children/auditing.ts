// Appends lines to an audit file as fast as it can: `auditing.ts PATH NAME COUNT`.
import { openAudit } from "../../../src/observe/audit.ts";

const [path = "", who = "", count = "0"] = process.argv.slice(2);
const audit = openAudit(path);
for (let at = 0; at < Number(count); at += 1) {
  const to = { file: "x".repeat(at) };
  await audit.append({ id: String(at), who, did: "test", to, outcome: "done" });
}
