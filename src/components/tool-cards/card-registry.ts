import type { ComponentType } from "react";
import type { BuiltinToolName } from "@/contract/tool-outputs";
import { AdvisorCard } from "./advisor-card";
import { AppendFileCard } from "./append-file-card";
import { AskUserQuestionCard } from "./ask-user-question-card";
import { CurrentTimeCard } from "./current-time-card";
import { DelegateCard } from "./delegate-card";
import { DeleteFileCard } from "./delete-file-card";
import { DeliverFileCard } from "./deliver-file-card";
import { EditFileCard } from "./edit-file-card";
import { ExecCard } from "./exec-card";
import { InterruptAgentCard } from "./interrupt-agent-card";
import { ListAgentsCard } from "./list-agents-card";
import { ListDirectoryCard } from "./list-directory-card";
import { LoadImageCard } from "./load-image-card";
import { MessageAgentCard } from "./message-agent-card";
import { MoveFileCard } from "./move-file-card";
import { ReadFileCard } from "./read-file-card";
import { SaveArtifactCard } from "./save-artifact-card";
import { SearchFilesCard } from "./search-files-card";
import { SetTimerCard } from "./set-timer-card";
import { SpawnAgentCard } from "./spawn-agent-card";
import { TaskCancelCard } from "./task-cancel-card";
import { TaskStatusCard } from "./task-status-card";
import type { BuiltinCardProps } from "./tool-card";
import { TodoWriteCard } from "./todo-write-card";
import { WaitAgentCard } from "./wait-agent-card";
import { WebFetchCard } from "./web-fetch-card";
import { WebSearchCard } from "./web-search-card";
import { WriteFileCard } from "./write-file-card";

type Cards = { [Name in BuiltinToolName]: ComponentType<BuiltinCardProps<Name>> };

/** A built-in tool does not compile until it has a card. */
export const CARD: Cards = {
  advisor: AdvisorCard,
  append_file: AppendFileCard,
  ask_user_question: AskUserQuestionCard,
  current_time: CurrentTimeCard,
  delegate: DelegateCard,
  delete_file: DeleteFileCard,
  deliver_file: DeliverFileCard,
  edit_file: EditFileCard,
  exec: ExecCard,
  interrupt_agent: InterruptAgentCard,
  list_agents: ListAgentsCard,
  list_directory: ListDirectoryCard,
  load_image: LoadImageCard,
  message_agent: MessageAgentCard,
  move_file: MoveFileCard,
  read_file: ReadFileCard,
  save_artifact: SaveArtifactCard,
  search_files: SearchFilesCard,
  set_timer: SetTimerCard,
  spawn_agent: SpawnAgentCard,
  task_cancel: TaskCancelCard,
  task_status: TaskStatusCard,
  todo_write: TodoWriteCard,
  wait_agent: WaitAgentCard,
  web_fetch: WebFetchCard,
  web_search: WebSearchCard,
  write_file: WriteFileCard,
};
