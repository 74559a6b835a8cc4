import type { ToolKind } from "./part";

/** What people know of a tool, beside what models read. */
export type ToolGuide = {
  area: string;
  /** Whether its calls change something, or start what does. */
  isChanging: boolean;
  /** What it does, for people. */
  text: string;
};

const reads = (area: string, text: string): ToolGuide => ({ area, isChanging: false, text });
const changes = (area: string, text: string): ToolGuide => ({ area, isChanging: true, text });

/** By the names of built-in tools. */
export const BUILTIN_TOOLS: Readonly<Record<string, ToolGuide>> = {
  exec: changes("Commands", "Runs commands in the sandbox of the chat."),
  read_file: reads("Files", "Reads a file of the chat."),
  list_directory: reads("Files", "Lists the files of the chat."),
  search_files: reads("Files", "Finds files and text in the files of the chat."),
  write_file: changes("Files", "Creates a file of the chat, or replaces one."),
  edit_file: changes("Files", "Changes a part of a file."),
  append_file: changes("Files", "Adds text at the end of a file."),
  move_file: changes("Files", "Moves or renames a file."),
  delete_file: changes("Files", "Deletes a file."),
  save_artifact: changes("Files", "Keeps a text or a file, so that it can be read again later."),
  load_image: reads("Files", "Lets the model see an image."),
  deliver_file: reads("Files", "Gives you a file to download."),
  web_search: reads("Web", "Searches the web with the provider of this server."),
  web_fetch: reads("Web", "Reads a page of the web."),
  spawn_agent: changes("Agents", "Starts an agent in a chat of its own for a part of the work."),
  delegate: changes("Agents", "Gives a part of the work to an agent and waits for its result."),
  message_agent: changes("Agents", "Sends a message to an agent that it has started."),
  interrupt_agent: changes("Agents", "Stops an agent that it has started."),
  wait_agent: reads("Agents", "Waits for agents that it has started."),
  list_agents: reads("Agents", "Lists the agents that it has started."),
  task_status: reads("Tasks", "Looks at work that goes on in the background."),
  task_cancel: changes("Tasks", "Ends work that goes on in the background."),
  set_timer: changes("Tasks", "Lets the chat go on by itself at a later time."),
  advisor: reads("You and the model", "Asks a second model for advice."),
  ask_user_question: reads(
    "You and the model",
    "Asks you a question, with answers to choose from.",
  ),
  todo_write: reads("You and the model", "Keeps a list of steps that you can follow."),
  current_time: reads("You and the model", "Looks at the date and the time."),
};

const AREA_OF_KIND: Readonly<Record<ToolKind, string>> = {
  builtin: "Other tools",
  recipe: "Recipes",
  mcp: "MCP servers",
  dynamic: "Other tools",
  provider: "Tools of providers",
  toolset: "Toolsets",
};

/** Describes a tool; one of which nothing is known may change something. */
export const findToolGuide = (tool: {
  name: string;
  source: ToolKind;
  description: string;
  read_only?: boolean | undefined;
}): ToolGuide => {
  const { name, source, description, read_only: isReadOnly = false } = tool;
  const isKnown = source === "builtin" && Object.hasOwn(BUILTIN_TOOLS, name);
  const describe = isReadOnly ? reads : changes;
  return (isKnown ? BUILTIN_TOOLS[name] : undefined) ?? describe(AREA_OF_KIND[source], description);
};
