import { advisorTool } from "@/server/tools/advisor";
import type { AgentToolDeps } from "@/server/agents/tools/agent-deps";
import { createDelegateTool } from "@/server/agents/tools/delegate";
import { createInterruptAgentTool } from "@/server/agents/tools/interrupt-agent";
import { createListAgentsTool } from "@/server/agents/tools/list-agents";
import { createMessageAgentTool } from "@/server/agents/tools/message-agent";
import { createSpawnAgentTool } from "@/server/agents/tools/spawn-agent";
import { createWaitAgentTool } from "@/server/agents/tools/wait-agent";
import { createDeliverFileTool } from "@/server/tools/artifacts/deliver-file";
import { createLoadImageTool } from "@/server/tools/artifacts/load-image";
import type { ArtifactDeps } from "@/server/tools/artifacts/named-file";
import { createSaveArtifactTool } from "@/server/tools/artifacts/save-artifact";
import { currentTimeTool } from "@/server/tools/current-time";
import { createAppendFileTool } from "@/server/tools/files/append-file";
import { createDeleteFileTool } from "@/server/tools/files/delete-file";
import { createEditFileTool } from "@/server/tools/files/edit-file";
import { createExecTool, type ExecDeps } from "@/server/exec/exec-tool";
import { createListDirectoryTool } from "@/server/tools/files/list-directory";
import { createMoveFileTool } from "@/server/tools/files/move-file";
import { createReadFileTool } from "@/server/tools/files/read-file";
import { createSearchFilesTool } from "@/server/tools/files/search-files";
import { createWriteFileTool } from "@/server/tools/files/write-file";
import { setTimerTool } from "@/server/tasks/tools/set-timer";
import { createTaskCancelTool } from "@/server/tasks/tools/task-cancel";
import type { TaskDeps } from "@/server/tasks/tools/task-deps";
import { createTaskStatusTool } from "@/server/tasks/tools/task-status";
import type { Tool } from "@/server/tools/tool";
import type { WorkspaceDeps } from "@/server/tools/workspace/workspace";
import { askUserQuestionTool } from "@/server/tools/people/ask-user-question";
import { todoWriteTool } from "@/server/tools/people/todo-write";
import type { WebDeps } from "@/server/tools/web/web-deps";
import { createWebFetchTool, type WebFetchDeps } from "@/server/tools/web/web-fetch";
import { createWebSearchTool } from "@/server/tools/web/web-search";

/** What the tools need of the app, each declared by the file that needs it. */
export type ToolDeps = AgentToolDeps &
  ArtifactDeps &
  ExecDeps &
  TaskDeps &
  WebDeps &
  WebFetchDeps &
  WorkspaceDeps & {
    /** Why this process must not use the files of chats, as a sentence. */
    workspacesProblem: string | undefined;
  };

type CreateTool<Name extends string> = (deps: ToolDeps) => Tool<Name>;

/** Makes a tool unavailable while the process must not use the files of chats. */
const inWorkspace =
  <Name extends string>(create: CreateTool<Name>): CreateTool<Name> =>
  (deps) => {
    const { workspacesProblem } = deps;
    const tool = create(deps);
    return workspacesProblem === undefined ? tool : { ...tool, unavailable: workspacesProblem };
  };

const checkNames = <Creators extends { [Name in keyof Creators & string]: CreateTool<Name> }>(
  creators: Creators,
): Creators => creators;

/** The built-in tools: a new one is a line here. */
const CREATORS = checkNames({
  advisor: () => advisorTool,
  append_file: inWorkspace(createAppendFileTool),
  ask_user_question: () => askUserQuestionTool,
  current_time: () => currentTimeTool,
  delegate: createDelegateTool,
  delete_file: inWorkspace(createDeleteFileTool),
  deliver_file: inWorkspace(createDeliverFileTool),
  edit_file: inWorkspace(createEditFileTool),
  exec: inWorkspace(createExecTool),
  interrupt_agent: createInterruptAgentTool,
  list_agents: createListAgentsTool,
  list_directory: inWorkspace(createListDirectoryTool),
  load_image: inWorkspace(createLoadImageTool),
  message_agent: createMessageAgentTool,
  move_file: inWorkspace(createMoveFileTool),
  read_file: inWorkspace(createReadFileTool),
  save_artifact: inWorkspace(createSaveArtifactTool),
  search_files: inWorkspace(createSearchFilesTool),
  set_timer: () => setTimerTool,
  spawn_agent: createSpawnAgentTool,
  task_cancel: createTaskCancelTool,
  task_status: createTaskStatusTool,
  todo_write: () => todoWriteTool,
  wait_agent: createWaitAgentTool,
  web_fetch: createWebFetchTool,
  web_search: createWebSearchTool,
  write_file: inWorkspace(createWriteFileTool),
});

export const BUILTIN_TOOL_NAMES = Object.keys(CREATORS);

/** Creates the built-in tools of a process, by name. */
export const createTools = (deps: ToolDeps) =>
  Object.fromEntries(
    Object.entries<CreateTool<string>>(CREATORS).map(([name, create]) => [name, create(deps)]),
  ) as { [Name in keyof typeof CREATORS]: Tool<Name> };
