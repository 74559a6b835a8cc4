import type {
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider";

export type DemoReport = { label: string; report: string };

export type DemoResult = { toolName: string; output: string; isError: boolean };

/** The parts of a prompt that the demo model uses. */
export type DemoPrompt = {
  /** The last system message. */
  system: string;
  /** The text of the last user message, without reports of tasks. */
  question: string;
  /** The labels and texts of the reports in it. */
  reports: DemoReport[];
  /** Reports that have come after the last assistant message, in the turn of the question. */
  lateReports: DemoReport[];
  /** Number of batches of tool calls since the question. */
  batches: number;
  /** Tool results after the last assistant message. */
  results: DemoResult[];
  /** Tool results since the question. */
  allResults: DemoResult[];
};

/** Extracts what the demo model uses from a prompt. */
export const parsePrompt = (prompt: LanguageModelV4Prompt): DemoPrompt => {
  const system = prompt.findLast((message) => message.role === "system")?.content ?? "";
  const questionIndex = prompt.findLastIndex(isQuestion);
  const since = prompt.slice(questionIndex + 1);
  const lastAnswerIndex = since.findLastIndex((message) => message.role === "assistant");
  const unanswered = since.slice(lastAnswerIndex + 1);
  const lateReports = unanswered.flatMap((message) => splitReports(toText(message)).reports);
  const batches = since.filter(
    ({ role, content }) =>
      role === "assistant" && content.some((part) => part.type === "tool-call"),
  ).length;
  const { question, reports } = splitReports(toText(prompt[questionIndex]));
  return {
    system,
    question,
    reports,
    lateReports,
    batches,
    results: listResults(unanswered),
    allResults: listResults(since),
  };
};

const REPORT = /^<task_report>(?<json>.*)<\/task_report>$/gm;

const splitReports = (text: string): Pick<DemoPrompt, "question" | "reports"> => ({
  question: text.replace(REPORT, "").trim(),
  reports: [...text.matchAll(REPORT)].map(
    ({ groups }) => JSON.parse(groups?.json ?? "{}") as DemoReport,
  ),
});

/** Images that a tool loaded, and reports of tasks, may follow a result as a user message, which asks nothing. */
const isQuestion = (
  message: LanguageModelV4Prompt[number],
  index: number,
  prompt: LanguageModelV4Prompt,
): boolean =>
  message.role === "user" &&
  !(
    prompt[index - 1]?.role === "tool" &&
    (message.content.some((part) => part.type === "file") || isOnlyReports(toText(message)))
  );

const isOnlyReports = (text: string): boolean => {
  const { question, reports } = splitReports(text);
  return question === "" && reports.length > 0;
};

const listResults = (messages: LanguageModelV4Prompt): DemoResult[] =>
  messages.flatMap((message) =>
    message.role === "tool"
      ? message.content.filter((part) => part.type === "tool-result").map(toResult)
      : [],
  );

const toText = (message: LanguageModelV4Prompt[number] | undefined): string =>
  message?.role === "user"
    ? message.content
        .map((part) => (part.type === "text" ? part.text : ""))
        .filter(Boolean)
        .join("\n")
        .trim()
    : "";

const toResult = ({ toolName, output }: LanguageModelV4ToolResultPart): DemoResult => ({
  toolName,
  output: toOutputText(output),
  isError: output.type.startsWith("error") || output.type === "execution-denied",
});

const toOutputText = (output: LanguageModelV4ToolResultOutput): string => {
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
