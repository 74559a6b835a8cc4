import type { BuiltinToolName } from "@/contract/tool-outputs";
import { type AdvisorDeps, createAdvisorTool } from "./advisor";
import type { AgentToolDeps } from "./agents/agent-deps";
import { createDelegateTool } from "./agents/delegate";
import { createInterruptAgentTool } from "./agents/interrupt-agent";
import { createListAgentsTool } from "./agents/list-agents";
import { createMessageAgentTool } from "./agents/message-agent";
import { createSpawnAgentTool } from "./agents/spawn-agent";
import { createWaitAgentTool } from "./agents/wait-agent";
import { createDeliverFileTool } from "./artifacts/deliver-file";
import { createLoadImageTool } from "./artifacts/load-image";
import type { ArtifactDeps } from "./artifacts/named-file";
import { createSaveArtifactTool } from "./artifacts/save-artifact";
import { currentTimeTool } from "./current-time";
import { createAppendFileTool } from "./files/append-file";
import { createDeleteFileTool } from "./files/delete-file";
import { createEditFileTool } from "./files/edit-file";
import { createExecTool, type ExecDeps } from "./exec/exec-tool";
import { createListDirectoryTool } from "./files/list-directory";
import { createMoveFileTool } from "./files/move-file";
import { createReadFileTool } from "./files/read-file";
import { createSearchFilesTool } from "./files/search-files";
import { createWriteFileTool } from "./files/write-file";
import { setTimerTool } from "./tasks/set-timer";
import { createTaskCancelTool } from "./tasks/task-cancel";
import type { TaskDeps } from "./tasks/task-deps";
import { createTaskStatusTool } from "./tasks/task-status";
import type { Tool } from "./tool";
import type { WorkspaceDeps } from "./workspace/workspace";
import { askUserQuestionTool } from "./people/ask-user-question";
import { todoWriteTool } from "./people/todo-write";
import type { WebDeps } from "./web/web-deps";
import { createWebFetchTool, type WebFetchDeps } from "./web/web-fetch";
import { createWebSearchTool } from "./web/web-search";

/** What the tools need of the app, each declared by the file that needs it. */
export type ToolDeps = AdvisorDeps &
  AgentToolDeps &
  ArtifactDeps &
  ExecDeps &
  TaskDeps &
  WebDeps &
  WebFetchDeps &
  WorkspaceDeps & {
    /** Why this process must not use the files of chats, as a sentence. */
    workspacesProblem: () => string | undefined;
  };

/** Creates the built-in tools of a process: a new tool is a line here and an output in the contract. */
export const createTools = (deps: ToolDeps) => {
  const inWorkspace = <Name extends string>(tool: Tool<Name>): Tool<Name> => ({
    ...tool,
    unavailable: () => deps.workspacesProblem() ?? tool.unavailable(),
  });
  return {
    advisor: createAdvisorTool(deps),
    append_file: inWorkspace(createAppendFileTool(deps)),
    ask_user_question: askUserQuestionTool,
    current_time: currentTimeTool,
    delegate: createDelegateTool(deps),
    delete_file: inWorkspace(createDeleteFileTool(deps)),
    deliver_file: inWorkspace(createDeliverFileTool(deps)),
    edit_file: inWorkspace(createEditFileTool(deps)),
    exec: inWorkspace(createExecTool(deps)),
    interrupt_agent: createInterruptAgentTool(deps),
    list_agents: createListAgentsTool(deps),
    list_directory: inWorkspace(createListDirectoryTool(deps)),
    load_image: inWorkspace(createLoadImageTool(deps)),
    message_agent: createMessageAgentTool(deps),
    move_file: inWorkspace(createMoveFileTool(deps)),
    read_file: inWorkspace(createReadFileTool(deps)),
    save_artifact: inWorkspace(createSaveArtifactTool(deps)),
    search_files: inWorkspace(createSearchFilesTool(deps)),
    set_timer: setTimerTool,
    spawn_agent: createSpawnAgentTool(deps),
    task_cancel: createTaskCancelTool(deps),
    task_status: createTaskStatusTool(deps),
    todo_write: todoWriteTool,
    wait_agent: createWaitAgentTool(deps),
    web_fetch: createWebFetchTool(deps),
    web_search: createWebSearchTool(deps),
    write_file: inWorkspace(createWriteFileTool(deps)),
  } as const satisfies { [Name in BuiltinToolName]: Tool<Name> };
};
