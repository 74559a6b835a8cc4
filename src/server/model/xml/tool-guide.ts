import type { JSONSchema7, LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import type { JsonObject } from "@/contract/json";
import { generateArguments } from "@/server/model/generate-arguments";
import { memoizeByObject } from "@/lib/memoize-by-object";
import { toShape } from "./value-shape";
import { writeBlock, writeCall } from "./write-xml";

type Tools = readonly LanguageModelV4FunctionTool[];

/** Most calls of one answer: more than a model that writes XML gets right. */
export const MAX_XML_CALLS = 20;

/** How the system message begins. */
export const TOOL_GUIDE_START = "You can use the tools below.";

const INTRODUCTION = `${TOOL_GUIDE_START} Use them when they help with what was asked; otherwise answer without.

To use tools, write one block of code at the start of a line, fenced and tagged xml, with the root <tools> and a <tool> for each call, as in the examples. Stop after the block and wait: the results come with the next message, in a <results> block. Never write that block yourself, and never guess a result.

- Each parameter is an element with its name. Put every text into <![CDATA[…]]>; write "]]>" in a text as "]]]]><![CDATA[>".
- Numbers, true and false are written as they are. A list repeats its element for each item; an object has an element for each field.
- An element with type="json" holds JSON, for values that cannot be written so, such as an empty list.
- At most ${MAX_XML_CALLS} calls in one answer. No document type, no entities of your own, no processing instructions.`;

/** Creates the system message that teaches a model to call the tools. */
export const createToolGuide: (tools: Tools) => string = memoizeByObject((tools: Tools) =>
  [INTRODUCTION, ...tools.map(createSection)].join("\n\n"),
);

/** Sections by schemas, which live as long as their tools, and by name and description. */
const sectionsOf: (schema: JSONSchema7) => Map<string, string> = memoizeByObject(
  () => new Map<string, string>(),
);

const createSection = (tool: LanguageModelV4FunctionTool): string => {
  const { name, description = "", inputSchema } = tool;
  const sections = sectionsOf(inputSchema);
  const key = `${name} ${description}`;
  const known = sections.get(key);
  if (known !== undefined) return known;
  const section = [
    `## ${name}`,
    ...(description === "" ? [] : [description]),
    `Parameters, as JSON Schema: ${JSON.stringify(inputSchema)}`,
    writeExample(tool),
  ].join("\n");
  sections.set(key, section);
  return section;
};

/** Writes a call of a tool: its own example, or one that its schema allows. */
export const writeExample = ({
  name,
  inputSchema,
  inputExamples = [],
}: LanguageModelV4FunctionTool): string => {
  const [example] = inputExamples;
  const args =
    (example?.input as JsonObject | undefined) ?? generateArguments(inputSchema, "example");
  return writeBlock([writeCall(name, args, toShape(inputSchema))]);
};
