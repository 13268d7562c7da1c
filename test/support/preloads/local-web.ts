// Every name under .example resolves to a public address, and connections to that address reach the port WEB_PORT of
// this machine, so the program fetches pages as usual without the internet.
import dns from "node:dns/promises";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";

const PUBLIC = "93.184.216.34";
const port = Number(process.env["WEB_PORT"]);
const { lookup } = dns;
const { connect } = net;

Object.assign(dns, {
  lookup: (host: string, ...rest: unknown[]) =>
    host.endsWith(".example")
      ? Promise.resolve([{ address: PUBLIC, family: 4 }])
      : Reflect.apply(lookup, dns, [host, ...rest]),
});
Object.assign(net, {
  connect: (...args: unknown[]) =>
    (args[0] as { readonly host?: string } | null)?.host === PUBLIC
      ? connect(port, "127.0.0.1")
      : Reflect.apply(connect, net, args),
});
syncBuiltinESMExports();
