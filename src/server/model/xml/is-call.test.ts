import { describe, expect, it } from "vitest";
import { isCall } from "./is-call";

const DOCTYPE = '<!DOCTYPE tools [<!ENTITY a "b">]>';

describe("a block of XML is one of calls", () => {
  it.each([
    "<tools>",
    "<tools/>",
    '<tools a="b">',
    '<tool name="exec">',
    "<tool id='1' name = 'exec'/>",
    `<?xml version="1.0"?>\n<!-- a -->${DOCTYPE}<!-- b -->\n<tools>`,
    "<tool>\n<name>exec</name>\n<parameters>",
    "<tool><parameters>",
  ])("%s", (xml) => {
    expect(isCall(xml)).toBe(true);
  });
});

describe("a block of XML is text", () => {
  it.each([
    "text",
    "\n```\n",
    "<note>",
    "<tooling",
    "<Tools>",
    "<tool>5",
    '<tool id="1">x',
    '<tool name=" ">x',
    "<tool><price>",
    "<tool><name>hammer</name><price>",
    "<tool/>",
    `<!-- ${"a".repeat(1_000)}`,
    `${" ".repeat(1_000)}<tools>`,
  ])("%s", (xml) => {
    expect(isCall(xml)).toBe(false);
  });
});

describe("what a block of XML is depends on what follows", () => {
  it.each([
    "",
    "\n",
    "<",
    "<tool",
    "<tools",
    '<tool name="exec"',
    "<!-- a",
    "<?xml",
    DOCTYPE.slice(0, -1),
    "<tool>",
    "<tool>\n<na",
    "<tool><name>exec",
    "<tool><name>exec</name>\n<param",
  ])("%s", (xml) => {
    expect(isCall(xml)).toBeUndefined();
    const isCut = /<tools?(?: name="exec")?$/.test(xml);
    expect(isCall(xml, true)).toBe(isCut);
  });
});

it("the beginning of a block decides as all of it does", () => {
  const blocks = [
    `<?xml version="1.0"?>${DOCTYPE}<!-- a --><tools><tool name="x"/></tools>`,
    '<tool id="1" name="exec"><a>5</a></tool>',
    "<tool>\n  <name>exec</name>\n  <parameters><a>5</a></parameters>\n</tool>",
    "<tool><name>hammer</name><price>5</price></tool>",
    "<note><tools/></note>",
  ];
  for (const xml of blocks) {
    const decisions = Array.from(xml, (_, length) => isCall(xml.slice(0, length)));
    const whole = isCall(xml);
    expect(whole).toBeDefined();
    expect(decisions.filter((one) => one !== undefined && one !== whole)).toEqual([]);
  }
});
