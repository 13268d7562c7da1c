// Which IP addresses a page may be fetched from: none that leads to this machine or its network.
import { BlockList, isIP } from "node:net";

/** Everything that is not public, from IANA's registries of special addresses. */
const CLOSED: readonly (readonly [network: string, bits: number])[] = [
  ["0.0.0.0", 8], // this network
  ["10.0.0.0", 8],
  ["100.64.0.0", 10], // carrier-grade NAT
  ["127.0.0.0", 8], // loopback
  ["169.254.0.0", 16], // link-local, and cloud metadata
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24], // documentation
  ["192.88.99.0", 24], // relays
  ["192.168.0.0", 16],
  ["198.18.0.0", 15], // benchmarks
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4], // multicast
  ["240.0.0.0", 4], // reserved, and broadcast
];

// Only this eighth of IPv6 is public; exceptions inside it are listed below.
const OPEN_V6 = ["2000::", 3] as const;
const CLOSED_V6: readonly (readonly [network: string, bits: number])[] = [
  ["2001::", 23], // IETF protocols, including Teredo
  ["2001:db8::", 32], // documentation
  ["2002::", 16], // 6to4: an IPv4 address inside
  ["3fff::", 20], // documentation
];

const closed = new BlockList();
for (const [network, bits] of CLOSED) closed.addSubnet(network, bits, "ipv4");
for (const [network, bits] of CLOSED_V6) closed.addSubnet(network, bits, "ipv6");
const open = new BlockList();
open.addSubnet(...OPEN_V6, "ipv6");

/** Accepts only IP addresses in their usual form; names and other forms are not public. */
export function isPublic(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !closed.check(address, "ipv4");
  // A zone refers to an interface of this machine.
  if (family !== 6 || address.includes("%")) return false;
  return open.check(address, "ipv6") && !closed.check(address, "ipv6");
}
