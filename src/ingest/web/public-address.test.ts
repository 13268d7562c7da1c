import { describe, expect, test } from "vitest";
import { isPublic } from "./page-address.ts";

const PRIVATE = [
  ...["0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255"],
  ...["127.0.0.1", "127.255.255.254", "169.254.169.254", "172.16.0.1", "172.31.255.255"],
  ...["192.0.0.1", "192.168.0.1", "198.18.0.1", "224.0.0.1", "239.255.255.250", "255.255.255.255"],
  ...["::", "::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "fe80::1", "fe80::1%eth0"],
  ...["fc00::1", "fd12:3456::1", "fec0::1", "ff02::1", "64:ff9b::7f00:1", "64:ff9b:1::a00:1"],
  ...["2002:7f00:1::", "2002:a00:1::1", "2001:0:7f00:1::", "2001:db8::1", "100::1", "5f00::1"],
];

describe("addresses", () => {
  test.each(PRIVATE)("%s is not public", (address) => {
    expect(isPublic(address)).toBe(false);
  });
  test.each(["8.8.8.8", "93.184.216.34", "172.32.0.1", "100.128.0.1", "2606:2800:220:1::1"])(
    "%s is",
    (address) => {
      expect(isPublic(address)).toBe(true);
    },
  );
  test.each(["localhost", "", "127.1", "0x7f.1", "2130706433"])("%s is not an address", (text) => {
    expect(isPublic(text)).toBe(false);
  });
});
