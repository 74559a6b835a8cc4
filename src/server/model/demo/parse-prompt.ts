import type { LanguageModelV4CallOptions, LanguageModelV4Message } from "@ai-sdk/provider";
import type { JsonObject, JsonValue } from "@/contract/json";
import { parseExactJson } from "@/lib/exact-json";
import { readBlock } from "@/server/model/xml/block-reader";
import { TOOL_GUIDE_START } from "@/server/model/xml/tool-guide";
import { ANY_SHAPE, toShape } from "@/server/model/value-shape";
import { escapeAttribute, writeBlock, writeCall } from "@/server/model/xml/write-xml";
import { toXmlPrompt } from "@/server/model/xml/xml-prompt";
import type { DemoCall, DemoTool } from "./parse-tool-calls";

export type DemoReport = { label: string; report: string };
export type DemoResult = { toolName: string; output: string; isError: boolean };
export type DemoPrompt = ReturnType<typeof parsePrompt>;

/** Extracts what the demo model uses from a prompt, which teaches XML or else is read as if it did. */
export const parsePrompt = ({ prompt, tools = [] }: LanguageModelV4CallOptions) => {
  const systems = prompt.flatMap(({ role, content }) => (role === "system" ? content : []));
  const guide = systems.find((text) => text.startsWith(TOOL_GUIDE_START));
  const messages = guide === undefined ? toXmlPrompt(prompt, { tools: [], word: "" }) : prompt;
  const entries = messages.filter((message) => message.role === "user").map(readMessage);
  const questionIndex = entries.findLastIndex(({ isQuestion }) => isQuestion);
  const steps = entries.slice(questionIndex + 1);
  return {
    /** The word of calls that are written as XML. */
    word: guide && readWord(guide),
    tools: guide ? readTools(guide) : tools.filter((tool) => tool.type === "function"),
    system: systems.findLast((text) => text !== guide) ?? "",
    question: entries[questionIndex]?.text ?? "",
    /** Number of steps since the question that have called tools. */
    step: steps.length,
    /** The results of these steps, and those that are not answered yet. */
    allResults: steps.flatMap(({ results }) => results),
    results: steps.at(-1)?.results ?? [],
    /** Reports of tasks that are not answered yet. */
    reports: entries.at(-1)?.reports ?? [],
  };
};

const readWord = (guide: string): string => /<tools word="([^"]*)">/.exec(guide)?.[1] ?? "";

/** The example of a tool. */
const EXAMPLE = /^ *<tool name="[^"]+">[^]*?<\/tool>$/gm;

const readTools = (guide: string): DemoTool[] =>
  [...guide.matchAll(EXAMPLE)]
    .flatMap(([xml]) => readBlock(xml, () => ANY_SHAPE, "the end").calls)
    .map(({ toolName, args = {} }) => ({ name: toolName, inputSchema: inferSchema(args) }));

/** Infers from an example what a call needs. Texts are written anew, other values are those of the example. */
const inferSchema = (args: JsonObject): DemoTool["inputSchema"] => {
  const toSchema = (value: JsonValue) =>
    typeof value === "string" ? { type: "string" as const } : { default: value };
  const fields = Object.entries(args).map(([name, value]) => [name, toSchema(value)] as const);
  return { type: "object", required: Object.keys(args), properties: Object.fromEntries(fields) };
};

const RESULTS = /^`{3,}xml\n<results>/;
const RESULT =
  /<result tool="(?<toolName>[^"]*)" id="[^"]*" status="(?<status>\w+)"><!\[CDATA\[(?<text>[^]*?)\]\]><\/result>/g;
const REPORT = /^<task_report>(.*)<\/task_report>$/gm;

/** What names a file that the person has sent. */
const FILE = "<attached_file>";
/** Begins a text that the person has not written: what names a file, or sums up what was said before. */
const NOT_SAID = /^<(?:attached_file|conversation_summary)>/;

/** Reads the results of a step, the reports of tasks, and what the person says. */
const readMessage = ({ content }: Extract<LanguageModelV4Message, { role: "user" }>) => {
  const texts = content.flatMap((part) => (part.type === "text" ? part.text : []));
  const xml = texts.filter((text) => RESULTS.test(text)).join("\n");
  const results = [...xml.matchAll(RESULT)].map(({ groups = {} }): DemoResult => ({
    toolName: groups.toolName ?? "",
    output: (groups.text ?? "").replaceAll("]]]]><![CDATA[>", "]]>"),
    isError: groups.status === "error",
  }));
  const said = texts.filter((text) => !RESULTS.test(text) && !NOT_SAID.test(text));
  const hasFiles = texts.some((text) => text.startsWith(FILE));
  const matches = [...said.join("\n").matchAll(REPORT)];
  const reports = matches.map(([, json = "{}"]) => JSON.parse(json) as DemoReport);
  // Messages without an answer between them are one; the last of them counts.
  const text =
    said.map((one) => one.replace(REPORT, "").trim()).findLast(Boolean) ??
    (hasFiles ? "These files" : "");
  // Images that a tool loaded, and reports of tasks, may follow results, and ask nothing.
  const asksNothing = text === "" || (!hasFiles && content.some(({ type }) => type === "file"));
  return { results, reports, text, isQuestion: xml === "" || !asksNothing };
};

/** Writes calls as a block of XML. Arguments that are no JSON stay the mistake that they are. */
export const writeXmlCalls = (
  calls: readonly DemoCall[],
  { tools, word }: { tools: readonly DemoTool[]; word: string },
): string => {
  const written = calls.map(({ toolName, input }) => {
    const schema = tools.find(({ name }) => name === toolName)?.inputSchema ?? {};
    try {
      return writeCall(toolName, parseExactJson(input) as JsonObject, toShape(schema));
    } catch {
      return `  <tool name="${escapeAttribute(toolName)}">${input}</tool>`;
    }
  });
  return writeBlock(written, word);
};
