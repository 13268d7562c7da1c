// Which addresses of the internet a page may be fetched from: none that leads back into this machine or its network.
import { BlockList, isIP } from "node:net";

/** Everything that is not public, as the registries of special addresses list it. */
const CLOSED: readonly (readonly [network: string, bits: number])[] = [
  ["0.0.0.0", 8], // this network
  ["10.0.0.0", 8],
  ["100.64.0.0", 10], // carriers' own
  ["127.0.0.0", 8], // this machine
  ["169.254.0.0", 16], // this link, and clouds' metadata
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24], // documentation
  ["192.88.99.0", 24], // relays
  ["192.168.0.0", 16],
  ["198.18.0.0", 15], // benchmarks
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4], // groups
  ["240.0.0.0", 4], // reserved, and everybody
];

// Only this eighth of IPv6 is given to the public; what is inside it and leads elsewhere is closed below.
const OPEN_V6 = ["2000::", 3] as const;
const CLOSED_V6: readonly (readonly [network: string, bits: number])[] = [
  ["2001::", 23], // protocols' own, Teredo among them
  ["2001:db8::", 32], // documentation
  ["2002::", 16], // 6to4: an IPv4 address inside
  ["3fff::", 20], // documentation
];

const closed = new BlockList();
for (const [network, bits] of CLOSED) closed.addSubnet(network, bits, "ipv4");
for (const [network, bits] of CLOSED_V6) closed.addSubnet(network, bits, "ipv6");
const open = new BlockList();
open.addSubnet(...OPEN_V6, "ipv6");

/** Accepts only addresses: names, and addresses in unusual forms, are not public. */
export function isPublic(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !closed.check(address, "ipv4");
  // A zone names an interface of this machine.
  if (family !== 6 || address.includes("%")) return false;
  return open.check(address, "ipv6") && !closed.check(address, "ipv6");
}
