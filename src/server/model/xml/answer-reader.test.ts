import type { JSONSchema7 } from "@ai-sdk/provider";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAnswerReader } from "./answer-reader";
import type { ReadBlock } from "./block-reader";
import { ANY_SHAPE, toShape } from "@/server/model/value-shape";

const WRITE: JSONSchema7 = {
  type: "object",
  properties: {
    path: { type: "string" },
    content: { type: "string" },
    lines: { type: "integer" },
    overwrite: { type: "boolean" },
    tags: { type: "array", items: { type: "string" } },
    edits: {
      type: "array",
      items: {
        type: "object",
        properties: { from: { type: "string" }, to: { type: "string" }, all: { type: "boolean" } },
      },
    },
    rows: { type: "array", items: { type: "array", items: { type: "number" } } },
    options: { type: "object", properties: { depth: { type: "number" } } },
    note: { type: ["string", "null"] },
    limit: { anyOf: [{ type: "integer" }, { type: "null" }] },
    tree: { $ref: "#/$defs/tree" },
  },
  $defs: {
    tree: {
      type: "object",
      properties: {
        name: { type: "string" },
        leaves: { type: "array", items: { $ref: "#/$defs/tree" } },
      },
    },
  },
};
const EXEC: JSONSchema7 = {
  type: "object",
  properties: { action: { enum: ["run", "poll"] }, command: { type: "string" } },
};
const SHAPES = new Map([
  ["write", toShape(WRITE)],
  ["exec", toShape(EXEC)],
]);

/** An answer as it was read: its texts, and its calls as [name, arguments], or why a block is none. */
type Reading = (string | [name: string, args: unknown] | { at: string; expected: string })[];

const read = (pieces: readonly string[]): Reading => {
  const reading: Reading = [];
  let text = "";
  const flush = (): void => {
    if (text.trim() !== "") reading.push(text.trim());
    text = "";
  };
  const endBlock = ({ calls, fault }: ReadBlock): void => {
    flush();
    if (!fault)
      reading.push(...calls.map(({ toolName, args }): [string, unknown] => [toolName, args]));
    else {
      const { found, expected, offset, xml } = fault;
      const before = xml.slice(0, offset).split("\n");
      reading.push({ at: `${before.length}:${before.at(-1)?.length} ${found}`, expected });
    }
  };
  const findShape = (name: string) => SHAPES.get(name) ?? ANY_SHAPE;
  const reader = createAnswerReader(
    { findShape, word: "" },
    {
      text: (delta) => (text += delta),
      startBlock: () => undefined,
      endBlock,
    },
  );
  for (const piece of pieces) reader.push(piece);
  reader.end();
  flush();
  return reading;
};

const block = (xml: string): string => `\`\`\`xml\n${xml}\n\`\`\`\n`;
const call = (parameters: string, name = "write"): string =>
  block(`<tools>\n<tool name="${name}">${parameters}</tool>\n</tools>`);
const fault = (at: string, expected: string) => ({ at, expected });

const MB = 1024 * 1024;
const LAUGHS = `<!DOCTYPE tools [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>`;
const nest = (depth: number): string => "<a>".repeat(depth) + "</a>".repeat(depth);
const deep = (depth: number): unknown => (depth === 1 ? "" : { a: deep(depth - 1) });

const ANSWERS: Record<string, [answer: string, reading: Reading]> = {
  "no block": ["Just text.", ["Just text."]],
  "an empty answer": ["", []],
  "a call": [call("<path><![CDATA[a.md]]></path>"), [["write", { path: "a.md" }]]],
  "text around a call": [
    `I write it.\n\n${call("<path><![CDATA[a]]></path>")}Done.`,
    ["I write it.", ["write", { path: "a" }], "Done."],
  ],
  "a root without tools": [block('<tool name="exec"></tool>'), [["exec", {}]]],
  "a tool that closes itself": [block('<tool name="exec"/>'), [["exec", {}]]],
  "a parameter that closes itself": [call("<path/>"), [["write", { path: "" }]]],
  "two tools": [
    block('<tools><tool name="write"><path>a</path></tool><tool name="exec"/></tools>'),
    [
      ["write", { path: "a" }],
      ["exec", {}],
    ],
  ],
  "two blocks": [
    `${call("<path>a</path>")}and\n${call("<path>b</path>")}`,
    [["write", { path: "a" }], "and", ["write", { path: "b" }]],
  ],
  "two actions": [
    call('<action type="run"><command>ls</command></action><action type="poll"/>', "exec"),
    [
      ["exec", { action: "run", command: "ls" }],
      ["exec", { action: "poll" }],
    ],
  ],
  "actions of a tool that declares none": [
    call('<action type="x"><path>a</path></action><action type="y"><path>b</path></action>'),
    [
      ["write", { path: "a" }],
      ["write", { path: "b" }],
    ],
  ],
  "an action as a parameter": [
    call("<action><![CDATA[run]]></action><command>ls</command>", "exec"),
    [["exec", { action: "run", command: "ls" }]],
  ],
  "an unknown tool": [
    call("<a>1</a><b><![CDATA[2]]></b>", "nothing"),
    [["nothing", { a: 1, b: "2" }]],
  ],
  "a number, a truth and a list": [
    call("<lines>5</lines><overwrite>true</overwrite><tags>a</tags><tags>b</tags>"),
    [["write", { lines: 5, overwrite: true, tags: ["a", "b"] }]],
  ],
  "a number that is none": [call("<lines>five</lines>"), [["write", { lines: "five" }]]],
  "a list of one item": [call("<tags><![CDATA[a]]></tags>"), [["write", { tags: ["a"] }]]],
  "a list that another parameter divides": [
    call("<tags>a</tags><path>p</path><tags>b</tags>"),
    [["write", { tags: ["a", "b"], path: "p" }]],
  ],
  "a list with items": [
    call("<tags>\n<item>a</item>\n<item>5</item>\n</tags>"),
    [["write", { tags: ["a", "5"] }]],
  ],
  "a list as JSON": [call('<tags type="json">["a"]</tags>'), [["write", { tags: ["a"] }]]],
  "an empty list": [call('<tags type="json"><![CDATA[[]]]></tags>'), [["write", { tags: [] }]]],
  "a list of objects": [
    call("<edits><from>a</from><to>b</to></edits><edits><from>c</from><all>true</all></edits>"),
    [
      [
        "write",
        {
          edits: [
            { from: "a", to: "b" },
            { from: "c", all: true },
          ],
        },
      ],
    ],
  ],
  "a list of lists": [
    call("<rows><item>1</item><item>2</item></rows><rows><item>3</item></rows>"),
    [["write", { rows: [[1, 2], [3]] }]],
  ],
  "an object": [
    call("<options><depth>2.5</depth></options>"),
    [["write", { options: { depth: 2.5 } }]],
  ],
  "an object as JSON": [
    call('<options>{"depth": 2}</options>'),
    [["write", { options: { depth: 2 } }]],
  ],
  "an empty object": [call("<options></options>"), [["write", { options: {} }]]],
  "all arguments as JSON": [call('{"path": "a"}'), [["write", { path: "a" }]]],
  "what may be null": [
    call("<note>null</note><limit>null</limit>"),
    [["write", { note: null, limit: null }]],
  ],
  "a text that says null": [call("<note><![CDATA[null]]></note>"), [["write", { note: "null" }]]],
  "a recursive schema": [
    call("<tree><name>a</name><leaves><name>5</name></leaves></tree>"),
    [["write", { tree: { name: "a", leaves: [{ name: "5" }] } }]],
  ],
  "code in CDATA": [
    call("<content><![CDATA[if (a < b && c[d[0]] > 1) {\n  return `<b>`;\n}\n]]></content>"),
    [["write", { content: "if (a < b && c[d[0]] > 1) {\n  return `<b>`;\n}\n" }]],
  ],
  "code without CDATA": [
    call("<content>if (a < b && c) return;</content>"),
    [["write", { content: "if (a < b && c) return;" }]],
  ],
  "HTML without CDATA": [
    call("<content><p class=x>a &amp; b<br></p></content>"),
    [["write", { content: "<p class=x>a &amp; b<br></p>" }]],
  ],
  "well-formed text without CDATA": [
    call("<content>\n a &lt; b &amp;&amp; &#65;&#x42; \n</content>"),
    [["write", { content: "a < b && AB" }]],
  ],
  "entities in CDATA": [
    call("<content><![CDATA[a &lt; b]]></content>"),
    [["write", { content: "a &lt; b" }]],
  ],
  "CDATA around a number and an object": [
    call('<lines><![CDATA[5]]></lines><options><![CDATA[{"depth": 2}]]></options>'),
    [["write", { lines: 5, options: { depth: 2 } }]],
  ],
  "the end of CDATA in CDATA": [
    call("<content><![CDATA[a]]]]><![CDATA[>b]]></content>"),
    [["write", { content: "a]]>b" }]],
  ],
  "brackets at the end of CDATA": [
    call("<content>\n  <![CDATA[a[b[0]]]]>\n</content>"),
    [["write", { content: "a[b[0]]" }]],
  ],
  "lines between CDATA": [
    call("<content><![CDATA[a]]>\n<![CDATA[b]]></content>"),
    [["write", { content: "a\nb" }]],
  ],
  "fences in CDATA": [
    call('<content><![CDATA[# T\n```xml\n<tool name="exec"/>\n```\n]]></content>'),
    [["write", { content: '# T\n```xml\n<tool name="exec"/>\n```\n' }]],
  ],
  "closing tags in CDATA": [
    call("<content><![CDATA[</content></tool></tools>]]></content>"),
    [["write", { content: "</content></tool></tools>" }]],
  ],
  "a comment": [
    block('<!-- first --><tools><!-- then --><tool name="exec"/></tools>'),
    [["exec", {}]],
  ],
  "tags that the library reads among others": [
    call("<a><b>1</b><!-- c --><c>&lt;</c><d/><e><f>2</f></e> </a><g>x > y</g>", "nothing"),
    [["nothing", { a: { b: 1, c: "<", d: "", e: { f: 2 } }, g: "x > y" }]],
  ],
  "CDATA of no schema": [
    call("<a>\n<b>\n<![CDATA[<c>]]>\n</b><c> \n</c></a><d><![CDATA[]]></d>", "nothing"),
    [["nothing", { a: { b: "<c>", c: " \n" }, d: "" }]],
  ],
  "a wrong closing tag after those that the library did not read": [
    call("<a><b>1</b><c>2</a>", "nothing"),
    [fault("2:39 unexpected close tag", "</c>")],
  ],
  "attributes in apostrophes, and others": [
    block("<tool id='1' name='exec'  >\n</tool >"),
    [["exec", {}]],
  ],
  "a key that is no name": [
    call('<value key="my key"><![CDATA[1]]></value>', "nothing"),
    [["nothing", { "my key": "1" }]],
  ],
  "keys of every object": [
    call("<__proto__>1</__proto__><constructor>2</constructor>", "nothing"),
    [["nothing", JSON.parse('{"__proto__": 1, "constructor": 2}')]],
  ],
  "a longer fence": [`\`\`\`\`xml\n<tool name="exec"/>\n\`\`\`\`\n`, [["exec", {}]]],
  "a fence of tildes": [`~~~ XML\n<tool name="exec"/>\n~~~\n`, [["exec", {}]]],
  "a block that the answer ends with": ['```xml\n<tool name="exec"/>', [["exec", {}]]],
  "other XML": [block("<note>5</note>"), ["```xml\n<note>5</note>\n```"]],
  "a tool of other XML": [block("<tool>5</tool>"), ["```xml\n<tool>5</tool>\n```"]],
  "a block of another language": [
    '```html\n<tool name="exec"/>\n```',
    ['```html\n<tool name="exec"/>\n```'],
  ],
  "a block in a block": [
    '````md\n```xml\n<tool name="exec"/>\n```\n````',
    ['````md\n```xml\n<tool name="exec"/>\n```\n````'],
  ],
  "XML without a fence": ['<tool name="exec"/>', ['<tool name="exec"/>']],
  "XML in a line of code": [
    'Write ```xml <tool name="exec"/>``` so.',
    ['Write ```xml <tool name="exec"/>``` so.'],
  ],
  "a block in a paragraph": [
    'Write ```xml\n<tool name="exec"/>\n```',
    ['Write ```xml\n<tool name="exec"/>\n```'],
  ],
  "a billion laughs in other XML": [
    block(`${LAUGHS}<a>&b;</a>`),
    [`\`\`\`xml\n${LAUGHS}<a>&b;</a>\n\`\`\``],
  ],
  "a billion laughs": [
    `${block(`${LAUGHS}<tools><tool name="x"><y>&b;</y></tool></tools>`)}after`,
    [fault(`1:${LAUGHS.length - 1} a document type`, '<tools> or <tool name="…">'), "after"],
  ],
  "an entity of its own": [
    call("<a>&b;</a>", "nothing"),
    [fault("2:26 invalid character entity", "</a>")],
  ],
  "an entity that every object has": [
    call("<a>&constructor;</a>", "nothing"),
    [fault("2:36 invalid character entity", "</a>")],
  ],
  "a processing instruction": [
    block('<?xml version="1.0"?>\n<tool name="exec"/>'),
    [fault("1:20 a processing instruction", '<tools> or <tool name="…">')],
  ],
  "an instruction in the middle": [
    call("<?php echo 1 ?>"),
    [fault("2:33 a processing instruction", "a parameter or </tool>")],
  ],
  "a cut answer": [
    '```xml\n<tools><tool name="write"><path>ab',
    [fault("1:34 the end of the answer", "</path>")],
  ],
  "an answer that is cut in CDATA": [
    '```xml\n<tool name="write">\n<path><![CDATA[ab',
    [fault("2:17 the end of the answer", "</path>")],
  ],
  "an answer that is cut in the root": [
    "```xml\n<tools",
    [fault("1:6 the end of the answer", '<tools> or <tool name="…">')],
  ],
  "a wrong closing tag": [
    call("<options><depth>1</options>"),
    [fault("2:45 unexpected close tag", "</depth>")],
  ],
  "a text whose closing tag is missing": [
    `${call("<path>a<content>b</content>")}after`,
    [fault("2:46 </tool>", "</path>"), "after"],
  ],
  "text after CDATA": [
    call("<path><![CDATA[a]]]]>b</path>"),
    [
      fault(
        "2:40 text after CDATA",
        '</path> or another CDATA section ("]]>" in a text is written "]]]]><![CDATA[>")',
      ),
    ],
  ],
  "a tool without a name": [
    block("<tools><tool><path>a</path></tool></tools>"),
    [fault("1:7 <tool>", '<tool name="…">')],
  ],
  "the form that other applications teach": [
    `${block("<tool>\n<name>exec</name>\n<parameters><command>ls</command></parameters>\n</tool>")}after`,
    [fault("1:0 <tool>", '<tool name="…">'), "after"],
  ],
  "the same form inside of <tools>": [
    block("<tools><tool><name>exec</name><parameters/></tool></tools>"),
    [fault("1:7 <tool>", '<tool name="…">')],
  ],
  "other XML with names": [
    block("<tool><name>hammer</name><price>5</price></tool>"),
    ["```xml\n<tool><name>hammer</name><price>5</price></tool>\n```"],
  ],
  "a root that is not closed": [
    `${block('<tools>\n<tool name="exec"></tool>')}after`,
    [fault("3:0 the end of the block", '<tool name="…"> or </tools>'), "after"],
  ],
  "fences in text without CDATA": [
    call("<content># T\n```js\nlet a;\n```\n</content>"),
    [["write", { content: "# T\n```js\nlet a;\n```" }]],
  ],
  "the end of a fence in the line of the root": [
    '```xml\n<tools><tool name="exec"/></tools>```\nafter',
    [["exec", {}], "after"],
  ],
  "text between tools": [
    block('<tools>now: <tool name="exec"/></tools>'),
    [fault("1:7 text", '<tool name="…"> or </tools>')],
  ],
  "text between parameters": [
    call("<path>a</path> and"),
    [fault("2:34 text", "a parameter or </tool>")],
  ],
  "parameters and actions": [
    call('<path>a</path><action type="run"/>'),
    [fault("2:33 <action>", "either parameters or actions")],
  ],
  "JSON that is none": [
    call('<tags type="json">[1,</tags>'),
    [fault("2:40 text that is no JSON", "JSON in <tags>")],
  ],
  "an attribute named like a method": [
    call('<a hasOwnProperty="1" other="2"/>', "nothing"),
    [fault("2:51 an attribute that cannot be read", "a parameter or </tool>")],
  ],
  "two roots": [
    `${block('<tool name="exec"/>\n<tool name="exec"/>')}after`,
    [
      fault(
        "2:0 text after the root",
        "the end of the block: a block has one root, and <tools> holds several tools",
      ),
      "after",
    ],
  ],
  "32 elements in each other": [call(nest(30), "nothing"), [["nothing", { a: deep(30) }]]],
  "33 elements in each other": [
    call(nest(31), "nothing"),
    [fault("2:111 <a>", "at most 32 elements in each other")],
  ],
  "20,001 elements": [
    call("<a/>".repeat(16_000), "nothing"),
    [fault("2:64013 <a>", "at most 16,000 elements in a block")],
  ],
  "1 MB": [
    call(`<content><![CDATA[${"x".repeat(MB - 100)}]]></content>`),
    [["write", { content: "x".repeat(MB - 100) }]],
  ],
  "more than 1 MB": [
    `${call(`<content><![CDATA[${"x".repeat(MB)}]]></content>`)}after`,
    [fault("2:1048568 more than 1 MB", "a shorter block"), "after"],
  ],
};

describe("an answer with XML", () => {
  it("has at least 60 forms", () => {
    expect(Object.keys(ANSWERS).length).toBeGreaterThanOrEqual(60);
  });

  it.each(Object.entries(ANSWERS))("is read: %s", (_name, [answer, reading]) => {
    expect(read([answer])).toEqual(reading);
  });

  it.each(Object.entries(ANSWERS))(
    "is read the same way character by character: %s",
    (_name, [answer]) => {
      expect(read([...answer])).toEqual(read([answer]));
    },
  );

  it("is passed on as soon as it can be no block of calls", () => {
    let text = "";
    const reader = createAnswerReader(
      { findShape: () => ANY_SHAPE, word: "" },
      {
        text: (delta) => (text += delta),
        startBlock: () => undefined,
        endBlock: () => undefined,
      },
    );
    for (const answer of ["One.", "\n```xm", "l\n<note>", "\n```\n~", "~~js\n", "<tools>\n"]) {
      reader.push(answer);
    }
    expect(text).toBe("One.\n```xml\n<note>\n```\n~~~js\n<tools>\n");
    text = "";
    reader.push("~~~\n```xml\n<tool><name>hammer</name>");
    expect(text).toBe("~~~\n");
    reader.push("<price>");
    expect(text).toBe("~~~\n```xml\n<tool><name>hammer</name><price>");
  });

  it("is read in pieces of a character, also where it is hostile", () => {
    const SIZE = MB / 4;
    const hostile = {
      "a long prolog": `\`\`\`xml\n${" ".repeat(SIZE)}<tools>`,
      "fences in CDATA": call(`<content><![CDATA[${"```\n".repeat(SIZE / 8)}]]></content>`),
      "references and tags": call(`<content>${"&amp;<a>".repeat(SIZE / 16)}</content>`),
      "closing tags": call(`<content>${"</tool".repeat(SIZE / 16)}</content>`),
      "blocks that are none": "```xml\n<a>\n```\n".repeat(SIZE / 32),
      blocks: "```xml\n<tool name='exec'>\n</tool>\n```\n".repeat(SIZE / 256),
      "white space": `a${" ".repeat(SIZE)}b`,
    };
    for (const answer of Object.values(hostile)) {
      expect(read([...answer])).toEqual(read([answer]));
    }
  });

  it("is read the same way in any pieces", () => {
    const short = Object.values(ANSWERS)
      .map(([answer]) => answer)
      .filter(({ length }) => length < 10_000);
    const pieces = fc.tuple(fc.constantFrom(...short), fc.array(fc.nat(40), { maxLength: 40 }));
    fc.assert(
      fc.property(pieces, ([answer, lengths]) => {
        expect(read(cut(answer, lengths))).toEqual(read([answer]));
      }),
      { numRuns: 2_000 },
    );
  });

  it("is read the same way in any pieces, also when it was damaged", () => {
    const short = Object.values(ANSWERS)
      .map(([answer]) => answer)
      .filter(({ length }) => length < 2_000);
    const damaged = fc.record({
      answer: fc.constantFrom(...short),
      at: fc.nat(400),
      removed: fc.nat(12),
      added: fc.constantFrom(
        "",
        "<",
        "&",
        ">",
        "]]>",
        "```",
        "\n```\n",
        '"',
        "</tool>",
        "<![CDATA[",
      ),
      lengths: fc.array(fc.nat(20), { maxLength: 60 }),
    });
    fc.assert(
      fc.property(damaged, ({ answer, at, removed, added, lengths }) => {
        const changed = answer.slice(0, at) + added + answer.slice(at + removed);
        expect(read(cut(changed, lengths))).toEqual(read([changed]));
      }),
      { numRuns: 4_000 },
    );
  });
});

const cut = (text: string, lengths: readonly number[]): string[] => {
  let from = 0;
  const pieces = lengths.map((length) => text.slice(from, (from += length)));
  return [...pieces, text.slice(from)];
};
