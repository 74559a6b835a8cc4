import * as z from "zod";
import { AdvisorResult } from "./advisor";
import { AgentList, AwaitedAgents, InterruptedAgent, StartedAgent } from "./agent";
import { ExecResult } from "./exec";
import type { JsonValue } from "./json";
import { AskedQuestions } from "./questions";
import { TodoList } from "./todos";
import { WebFetchResult, WebSearchResult } from "./web";

/** The output of a tool whose result is text for the model. */
const TextOutput = z.string();

/** The lines that a search found, by file. */
const SearchOutput = z.object({
  files: z.array(
    z.object({
      path: z.string(),
      matches: z.array(z.object({ line: z.int(), text: z.string() })),
      /** More lines of the file match. */
      has_more: z.boolean().optional(),
    }),
  ),
  /** What is missing, and what to do. */
  note: z.string().optional(),
});

/** The built-in tools, each with the schema of a completed call's output, which types its card. */
export const TOOL_OUTPUT = {
  advisor: AdvisorResult,
  append_file: TextOutput,
  ask_user_question: AskedQuestions,
  current_time: TextOutput,
  delegate: AwaitedAgents,
  delete_file: TextOutput,
  deliver_file: TextOutput,
  edit_file: TextOutput,
  exec: ExecResult,
  interrupt_agent: InterruptedAgent,
  list_agents: AgentList,
  list_directory: TextOutput,
  load_image: TextOutput,
  message_agent: TextOutput,
  move_file: TextOutput,
  read_file: TextOutput,
  save_artifact: TextOutput,
  search_files: SearchOutput,
  set_timer: TextOutput,
  spawn_agent: StartedAgent,
  task_cancel: TextOutput,
  task_status: TextOutput,
  todo_write: TodoList,
  wait_agent: AwaitedAgents,
  web_fetch: WebFetchResult,
  web_search: WebSearchResult,
  write_file: TextOutput,
} as const satisfies Record<string, z.ZodType>;

export type BuiltinToolName = keyof typeof TOOL_OUTPUT;

type ToolOutputs = { [Name in BuiltinToolName]: z.output<(typeof TOOL_OUTPUT)[Name]> };

export type ToolOutput<Name extends BuiltinToolName> = ToolOutputs[Name];

export const BUILTIN_TOOL_NAMES = Object.keys(TOOL_OUTPUT) as BuiltinToolName[];

export const isBuiltinToolName = (name: string): name is BuiltinToolName =>
  Object.hasOwn(TOOL_OUTPUT, name);

/** @returns undefined for an output that does not fit its tool's schema. */
export const parseToolOutput = <Name extends BuiltinToolName>(
  name: Name,
  output: JsonValue | undefined,
): ToolOutput<Name> | undefined => {
  const schemas: { [Key in BuiltinToolName]: z.ZodType<ToolOutput<Key>> } = TOOL_OUTPUT;
  return schemas[name].safeParse(output).data;
};
