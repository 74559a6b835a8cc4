import { describe, expect, it } from "vitest";
import { readNumber } from "./read-number";

describe("readNumber reads", () => {
  it.each<[entered: string, number: string]>([
    ["0", "0"],
    ["-0", "-0"],
    ["007", "7"],
    ["+5", "5"],
    [" 5 ", "5"],
    [".5", "0.5"],
    ["5.", "5"],
    ["0.50", "0.50"],
    ["1e5", "1e5"],
    ["1E+400", "1E+400"],
    ["12345678901234567890", "12345678901234567890"],
    ["0,15", "0.15"],
    [",5", "0.5"],
    ["-1,5", "-1.5"],
    ["1,25e3", "1.25e3"],
    ["1234,567", "1234.567"],
    ["0,125", "0.125"],
    ["1 000", "1000"],
    ["12 345 678,9", "12345678.9"],
    ["1 000", "1000"],
    ["1 000", "1000"],
    ["1'000", "1000"],
    ["1’000.50", "1000.50"],
    ["1_000", "1000"],
    ["1.000,50", "1000.50"],
    ["1,000.50", "1000.50"],
    ["1.000.000", "1000000"],
    ["1,000,000", "1000000"],
    ["12,34,567", "1234567"],
    ["1.125", "1.125"],
    ["−5", "-5"],
    ["－5", "-5"],
    ["٣", "3"],
    ["٣٫٥", "3.5"],
    ["١٬٢٣٤", "1234"],
    ["१२", "12"],
    ["１２", "12"],
    ["9,99 €", "9.99"],
    ["$1,000.50", "1000.50"],
    ["-$5", "-5"],
  ])("%s as %s", (entered, number) => {
    expect(readNumber(entered)).toEqual({ number });
  });

  it("a number of a hundred thousand digits in a time in proportion to it", () => {
    expect(readNumber("1 000".repeat(1))).toEqual({ number: "1000" });
    expect(readNumber("1".repeat(100_000))).toEqual({ number: "1".repeat(100_000) });
    expect(readNumber(`${"1 ".repeat(50_000)}x`)).toBe(undefined);
  });
});

describe("readNumber does not guess", () => {
  it.each<[entered: string, meanings: [string, string]]>([
    ["1,000", ["1000", "1.000"]],
    ["12,345", ["12345", "12.345"]],
    ["-1,500", ["-1500", "-1.500"]],
  ])("what %s means", (entered, meanings) => {
    expect(readNumber(entered)).toEqual({ meanings });
  });

  it("what a point means in a whole number", () => {
    expect(readNumber("1.000", { isWhole: true })).toEqual({ meanings: ["1000", "1.000"] });
    expect(readNumber("0.125", { isWhole: true })).toEqual({ number: "0.125" });
  });
});

describe("readNumber reads percent", () => {
  it.each<[entered: string, maximum: number | undefined, number: string | undefined]>([
    ["15 %", 1, "0.15"],
    ["7,5%", 1, "0.075"],
    ["100%", 1, "1.00"],
    ["-0.5 %", 1, "-0.005"],
    ["15 %", 100, "15"],
    ["15 %", undefined, undefined],
    ["15 %", 50, undefined],
  ])("%s of %s at most as %s", (entered, maximum, number) => {
    expect(readNumber(entered, { maximum })).toEqual(number === undefined ? undefined : { number });
  });
});

it.each([
  "",
  " ",
  "many",
  "0x10",
  "1 00",
  "10 00",
  "1..5",
  "1,2,3",
  "1.000.5",
  "--5",
  "5-",
  "1e",
  "e5",
  "NaN",
  "Infinity",
  "½",
  "1 000,000.5,5",
  "1e5%",
])("readNumber finds none in %j", (entered) =>
  expect(readNumber(entered, { maximum: 1 })).toBe(undefined),
);
