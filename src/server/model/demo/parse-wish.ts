import { MAX_AWAITED_AGENTS } from "@/contract/limits";
import type { DemoResult } from "./parse-prompt";
import type { DemoCall } from "./parse-tool-calls";

type Wish = {
  toolName: string;
  /** How a person may say it. */
  example: string;
  pattern: RegExp;
  /**
   * @param said the named groups of the pattern.
   * @param results what tools have answered since the question.
   * @returns the arguments, one list item for each call if there are several or none.
   */
  toInput: (
    said: Readonly<Record<string, string>>,
    results: readonly DemoResult[],
  ) => object | readonly object[];
};

const PATH = String.raw`(?:the )?(?:file )?(?<path>[\w./-]*\w)`;
const QUOTED = (name: string) => String.raw`["“](?<${name}>[^"”]*)["”]`;

const wish = (pattern: string): RegExp => new RegExp(String.raw`^${pattern}\s*[.!?]*$`, "is");

/** What the demo model does when it is asked in a person's words; the first pattern that matches counts. */
const WISHES: readonly Wish[] = [
  {
    toolName: "web_fetch",
    example: "fetch https://example.com",
    pattern: wish(String.raw`(?:fetch|open|read|summari[sz]e) (?<url>https?://\S+?)`),
    toInput: ({ url }) => ({ url }),
  },
  {
    toolName: "web_search",
    example: "search the web for blue whales",
    pattern: wish(String.raw`search the web for (?<query>.+?)`),
    toInput: ({ query }) => ({ query }),
  },
  {
    toolName: "exec",
    example: "run `ls -l`",
    pattern: wish("run `(?<command>[^`]+)`(?<how>[^`]*)"),
    toInput: ({ command, how = "" }) => ({
      action: "run",
      command,
      ...(/terminal/i.test(how) && { pty: true }),
      ...(/background/i.test(how) && { background: true }),
      ...(/report/i.test(how) && { background: true, report_on_exit: true }),
    }),
  },
  {
    toolName: "read_file",
    example: "read notes.md",
    pattern: wish(`(?:read|show me|open) ${PATH}`),
    toInput: ({ path }) => ({ path }),
  },
  {
    toolName: "append_file",
    example: 'append "more" to notes.md',
    pattern: wish(`append ${QUOTED("content")} to ${PATH}`),
    toInput: ({ path, content }) => ({ path, content }),
  },
  {
    toolName: "write_file",
    example: 'write "Hello" to notes.md',
    pattern: wish(`write ${QUOTED("content")} to ${PATH}`),
    toInput: ({ path, content }) => ({ path, content }),
  },
  {
    toolName: "edit_file",
    example: 'replace "Hello" with "Hi" in notes.md',
    pattern: wish(`replace ${QUOTED("before")} (?:with|by) ${QUOTED("after")} in ${PATH}`),
    toInput: ({ path, before, after }) => ({
      path,
      edits: [{ old_text: before, new_text: after }],
    }),
  },
  {
    toolName: "move_file",
    example: "rename notes.md to diary.md",
    pattern: wish(String.raw`(?:rename|move) ${PATH} to (?<to>[\w./-]*\w)`),
    toInput: ({ path, to }) => ({ from: path, to }),
  },
  {
    toolName: "delete_file",
    example: "delete diary.md",
    pattern: wish(`delete ${PATH}`),
    toInput: ({ path }) => ({ path }),
  },
  {
    toolName: "list_directory",
    example: "list the files",
    pattern: wish("(?:list|show me) (?:the |all |my )*files|what files (?:are|do).*"),
    toInput: () => ({}),
  },
  {
    toolName: "search_files",
    example: 'search for "Hello"',
    pattern: wish(`search for ${QUOTED("pattern")}(?: in ${PATH})?`),
    toInput: ({ pattern, path }) => ({ pattern, ...(path !== undefined && { path }) }),
  },
  {
    toolName: "load_image",
    example: "look at chart.gif",
    pattern: wish(`look at ${PATH}`),
    toInput: ({ path }) => ({ path }),
  },
  {
    toolName: "deliver_file",
    example: "give me chart.gif",
    pattern: wish(`(?:deliver|give me|send me) ${PATH}`),
    toInput: ({ path }) => ({ path }),
  },
  {
    toolName: "save_artifact",
    example: "save the artifact <id> as notes.md",
    pattern: wish(String.raw`save (?:the )?artifact (?<id>[\w-]+) (?:as|to) ${PATH}`),
    toInput: ({ id, path }) => ({ artifact_id: id, path }),
  },
  {
    toolName: "ask_user_question",
    example: "ask me where to go",
    pattern: wish(String.raw`ask me (?<subject>.+?)`),
    toInput: ({ subject = "" }) => ({
      questions: [
        {
          header: "Your choice",
          question: toQuestion(subject),
          multi_select: false,
          options: ["Somewhere quiet", "Somewhere busy", "Surprise me"].map((label) => ({ label })),
        },
      ],
    }),
  },
  {
    toolName: "todo_write",
    example: "make a plan for a day in Lisbon",
    pattern: wish(String.raw`(?:make|write) (?:me )?a plan (?:for|to) (?<goal>.+?)`),
    toInput: ({ goal = "" }) => ({
      todos: [
        { content: `Find out what is needed for ${goal}`, status: "in_progress" },
        { content: "Take the first step", status: "pending" },
        { content: "Look at the result", status: "pending" },
      ],
    }),
  },
  {
    toolName: "set_timer",
    example: "remind me in 5 seconds to stretch",
    pattern: wish(
      String.raw`(?:(?:remind me |later )in (?<amount>\d+) (?<unit>second|minute)s? to |later (?!in \d))(?<note>.+?)`,
    ),
    toInput: ({ amount = "3", unit, note }) => ({
      seconds: Number(amount) * (unit?.toLowerCase() === "minute" ? 60 : 1),
      note,
    }),
  },
  {
    toolName: "spawn_agent",
    example: "spawn 3 agents to write 100 words",
    pattern: wish(String.raw`spawn (?:(?<count>\d{1,2})|an?) agents? to (?<task>.+?)`),
    toInput: ({ count = "1", task = "" }) =>
      Array.from({ length: Number(count) }, (_, index) => ({
        prompt: task,
        title: `Agent ${index + 1}`,
      })),
  },
  {
    toolName: "wait_agent",
    example: "spawn 2 agents to write 100 words then wait",
    pattern: wish("wait(?: for (?:it|them|the agents?))?"),
    toInput: (_said, results) => {
      const ids = findAgents(results);
      return ids.length === 0 ? [] : { chat_ids: ids };
    },
  },
  {
    toolName: "delegate",
    example: "delegate write 100 words",
    pattern: wish(String.raw`delegate(?! with \{) (?:to )?(?<task>.+?)`),
    toInput: ({ task }) => ({ prompt: task, title: "Delegated work" }),
  },
  {
    toolName: "current_time",
    example: "what time is it?",
    pattern: wish("what(?: time is it| is the time|'s the time).*"),
    toInput: () => ({}),
  },
];

/** Parses a wish in a person's words into the calls that fulfill it, if their tool is offered. */
export const parseWish = (
  text: string,
  toolNames: readonly string[],
  results: readonly DemoResult[],
): DemoCall[] => {
  for (const { toolName, pattern, toInput } of WISHES) {
    const match = toolNames.includes(toolName) ? pattern.exec(text.trim()) : null;
    if (!match) continue;
    const inputs = [toInput(match.groups ?? {}, results)].flat();
    return inputs.map((input) => ({ toolName, input: JSON.stringify(input) }));
  }
  return [];
};

/** The agents that were started since the question. */
const findAgents = (results: readonly DemoResult[]): string[] =>
  results
    .flatMap(({ toolName, output }) =>
      toolName === "spawn_agent" ? (/"chat_id":\s*"([^"]+)"/.exec(output)?.[1] ?? []) : [],
    )
    .slice(0, MAX_AWAITED_AGENTS);

/** What a person can say to have each of the tools called. */
export const listExamples = (toolNames: readonly string[]): string[] =>
  WISHES.filter(({ toolName }) => toolNames.includes(toolName)).map(({ example }) => example);

const toQuestion = (subject: string): string =>
  `${subject.charAt(0).toUpperCase()}${subject.slice(1)}?`;
