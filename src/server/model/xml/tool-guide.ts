import type { LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import type { JsonObject } from "@/contract/json";
import { generateArguments } from "@/server/model/generate-arguments";
import { memoizeByObject } from "@/lib/memoize-by-object";
import { toShape } from "@/server/model/value-shape";
import { writeBlock, writeCall } from "./write-xml";

type Tool = LanguageModelV4FunctionTool;

/** Most calls of one answer: more than a model that writes XML gets right. */
export const MAX_XML_CALLS = 20;
/** Characters of a guide that has details: small models need their context for the conversation. */
const MAX_GUIDE = 6_000;
/** Characters of the description of a tool without details. */
const MAX_SUMMARY = 60;

/** How the system message begins. */
export const TOOL_GUIDE_START = "You can use the tools below.";

const introduce = (
  word: string,
): string => `${TOOL_GUIDE_START} Use them when they help with what was asked; otherwise answer without.

To use tools, write one block of code at the start of a line, fenced and tagged xml, with the root <tools word="${word}"> and a <tool> for each call, at most ${MAX_XML_CALLS}:

${writeBlock(["…"], word)}

Nothing runs without this word, which is for your calls only: leave it out of all else. Then stop and wait: the results come with the next message, in a <results> block. Never write that block yourself, and never guess a result.

- Each parameter is an element with its name. Put text that is long or has < or & into <![CDATA[…]]>; write "]]>" in it as "]]]]><![CDATA[>".
- A list repeats its element for each item; an object has an element for each field. An element with type="json" holds JSON, such as an empty list.`;

/**
 * Creates the system message that teaches a model to call the tools. Each has an example; details are for as many as
 * there is room for.
 */
export const createToolGuide = (tools: readonly Tool[], word: string): string => {
  const introduction = introduce(word);
  const sections = tools.map((tool) => {
    const { summary, description, call } = describeTool(tool);
    const details = `${description}\n${writeBlock([call], word)}`;
    return { summary, details, extra: details.length - summary.length };
  });
  let room =
    MAX_GUIDE - [introduction, ...sections.map(({ summary }) => summary)].join("\n\n").length;
  const detailed = sections
    .toSorted((a, b) => a.extra - b.extra)
    .filter(({ extra }) => (room -= extra) >= 0);
  const texts = sections.map((one) => (detailed.includes(one) ? one.details : one.summary));
  return [introduction, ...texts].join("\n\n");
};

const describeTool = memoizeByObject((tool: Tool) => {
  const { name, description = "", inputSchema } = tool;
  const parameters = `Parameters, as JSON Schema: ${JSON.stringify(inputSchema)}`;
  const lines = [`## ${name}`, description, parameters].filter(Boolean);
  const call = writeExampleCall(tool);
  return { description: lines.join("\n"), call, summary: summarizeTool(tool) };
});

/** Describes a tool by the first sentence, the parameters that its example lacks, and the example in a line. */
const summarizeTool = (tool: Tool): string => {
  const { description = "", inputSchema } = tool;
  const [sentence = ""] = description.split(/[.:;](?=\s|$)|\n/, 1);
  const start = sentence.slice(0, MAX_SUMMARY).replace(/[\s,]+\S*$/, "");
  const args = findExample(tool);
  const others = Object.entries(inputSchema.properties ?? {}).flatMap(([name, schema]) => {
    const choices = typeof schema === "object" ? schema.enum : undefined;
    if (choices) return `${name} (${choices.map(String).join("|")})`;
    return name in args ? [] : name;
  });
  const call = writeExampleCall(tool)
    .trim()
    .replaceAll(/(?<!\s)\s+(?=<)/g, (space) => space.split("\n", 1).join(""))
    .replaceAll(/<!\[CDATA\[([^<>&\n\]]*)\]\]>/g, "$1");
  return [
    sentence.length > MAX_SUMMARY ? `${start} …` : `${sentence}.`,
    ...(others.length > 0 ? [` Also: ${others.join(", ")}.`] : []),
    `\n${call}`,
  ].join("");
};

/** Writes a call of a tool: its own example, or one that its schema allows. */
export const writeExample = (tool: Tool, word: string): string =>
  writeBlock([writeExampleCall(tool)], word);

const writeExampleCall = (tool: Tool): string =>
  writeCall(tool.name, findExample(tool), toShape(tool.inputSchema));

const findExample = ({ inputSchema, inputExamples, providerOptions }: Tool): JsonObject => {
  const own = providerOptions?.parley?.example ?? inputExamples?.[0]?.input;
  return (own as JsonObject | undefined) ?? generateArguments(inputSchema, "example");
};
