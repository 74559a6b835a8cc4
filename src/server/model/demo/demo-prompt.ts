import type {
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider";

export type DemoResult = { toolName: string; output: string; failed: boolean };

/** What of a prompt the demo model looks at. */
export type DemoPrompt = {
  /** The system message that has the last word. */
  system: string;
  /** What the user said last. */
  question: string;
  /** Batches of tool calls since then. */
  batches: number;
  /** The results of the last batch, when nothing was said after it. */
  results: DemoResult[];
};

export const readDemoPrompt = (prompt: LanguageModelV4Prompt): DemoPrompt => {
  const system = prompt.findLast((message) => message.role === "system")?.content ?? "";
  const asked = prompt.findLastIndex((message) => message.role === "user");
  const since = prompt.slice(asked + 1);
  const answered = since.findLastIndex((message) => message.role === "assistant");
  const results = since
    .slice(answered + 1)
    .flatMap((message) =>
      message.role === "tool"
        ? message.content.filter((part) => part.type === "tool-result").map(toResult)
        : [],
    );
  const batches = since.filter(
    ({ role, content }) =>
      role === "assistant" && content.some((part) => part.type === "tool-call"),
  ).length;
  return { system, question: textOf(prompt[asked]), batches, results };
};

const textOf = (message: LanguageModelV4Prompt[number] | undefined): string =>
  message?.role === "user"
    ? message.content
        .map((part) => (part.type === "text" ? part.text : ""))
        .filter(Boolean)
        .join("\n")
        .trim()
    : "";

const toResult = ({ toolName, output }: LanguageModelV4ToolResultPart): DemoResult => ({
  toolName,
  output: outputText(output),
  failed: output.type.startsWith("error") || output.type === "execution-denied",
});

const outputText = (output: LanguageModelV4ToolResultOutput): string => {
  switch (output.type) {
    case "text":
    case "error-text":
      return output.value;
    case "json":
    case "error-json":
      return JSON.stringify(output.value);
    case "execution-denied":
      return output.reason ?? "denied";
    case "content":
      return output.value
        .map((part) => (part.type === "text" ? part.text : `[${part.type}]`))
        .join(" ");
  }
};
