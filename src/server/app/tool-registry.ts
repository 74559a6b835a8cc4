import type { BuiltinToolName } from "@/contract/tool-outputs";
import { type AdvisorDeps, createAdvisorTool } from "@/server/tools/advisor";
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
export type ToolDeps = AdvisorDeps &
  AgentToolDeps &
  ArtifactDeps &
  ExecDeps &
  TaskDeps &
  WebDeps &
  WebFetchDeps &
  WorkspaceDeps & {
    /** Why this process must not use the files of chats, as a sentence. */
    workspacesProblem: string | undefined;
  };

/** Creates the built-in tools of a process: a new tool is a line here and an output in the contract. */
export const createTools = (deps: ToolDeps) => {
  const { workspacesProblem } = deps;
  const inWorkspace = <Name extends string>(tool: Tool<Name>): Tool<Name> =>
    workspacesProblem === undefined ? tool : { ...tool, unavailable: () => workspacesProblem };
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
