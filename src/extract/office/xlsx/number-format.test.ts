import { expect, test } from "vitest";
import { general } from "../chart.ts";
import { numberFormat } from "./number-format.ts";

test.each([
  ["General", 0.30000000000000004, "0.3"],
  ["0", 2.5, "3"],
  ["0.00", 1.005, "1.01"],
  ["0000", 42, "0042"],
  ["#,##0", 1234567, "1234567"],
  ["#,##0.0#", 1234.5, "1234.5"],
  ["0%", 0.256, "26%"],
  ["0.0%", 0.062, "6.2%"],
  ["0.00E+00", 12345, "1.23E+04"],
  ["#,##0,", 1234567, "1235"],
  ["$#,##0.00;($#,##0.00)", -5.5, "($5.50)"],
  ["[Red]-0.0;[Blue]0.0", 3, "-3.0"],
  ['0.0" kg"', 7, "7.0 kg"],
  ["[$¥-411]#,##0", 980, "¥980"],
  ['#,##0 "円"', 980, "980 円"],
  ["# ?/?", 2.5, "2 1/2"],
  ["yyyy-mm-dd", 45981, "2025-11-20"],
  ["d mmm yyyy", 45981, "20 Nov 2025"],
  ["dddd", 45981, "Thursday"],
  ["h:mm AM/PM", 0.5625, "1:30 PM"],
  ["h:mm:ss", 0.5625, "13:30:00"],
  ["[h]:mm", 1.5, "36:00"],
  ["mm:ss", 0.001, "01:26"],
  ['yyyy"年"m"月"d"日"', 45981, "2025年11月20日"],
  ['[$-411]ggge"年"m"月"', 45981, "令和7年11月"],
  ["yyyy/m/d(aaa)", 45981, "2025/11/20(木)"],
  ["@", 12, "12"],
])("%s shows %d as %s", (code, value, shown) => {
  expect(numberFormat(code, false)(value)).toBe(shown);
});

test("workbooks with the 1904 date system count days from 1904", () => {
  expect(numberFormat("yyyy-mm-dd", true)(45981 - 1462)).toBe("2025-11-20");
});

test("a number that is not a date is shown as a number", () => {
  expect(numberFormat("yyyy-mm-dd", false)(-3)).toBe(general(-3));
});
