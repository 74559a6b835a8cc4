import type {
  Artifact,
  FilePart,
  ReasoningPart,
  ReportPart,
  SourcePart,
  SummaryPart,
  TextPart,
  ToolCallPart,
} from "@/contract/part";
import type { FieldTexts, SchemaTexts } from "./schema-texts";
import { SHARED } from "./shared";

const PIXELS = {
  width: ["Pixels, of an image that models can be shown.", 640],
  height: ["Pixels, of an image that models can be shown.", 480],
} as const;

export const ARTIFACT_TEXTS = {
  id: ["The id of the file."],
  name: ["The name of the file.", "report.csv"],
  media_type: ["The type of the content.", "text/csv"],
  size: ["The size in bytes.", 1_024],
  ...PIXELS,
} as const satisfies FieldTexts<Artifact>;

export const PART_TEXTS = {
  TextPart: {
    type: ["The kind of the part."],
    text: ["The text.", "Deploy v12"],
  } satisfies FieldTexts<TextPart>,
  ReasoningPart: {
    type: ["The kind of the part."],
    text: ["What the model thought.", "Deploy v12"],
    started_at: ["When the reasoning began."],
    completed_at: ["When the reasoning ended."],
  } satisfies FieldTexts<ReasoningPart>,
  SourcePart: {
    type: ["The kind of the part."],
    url: ["The address of the page.", "https://example.org/"],
    title: ["The title of the page.", "An example"],
  } satisfies FieldTexts<SourcePart>,
  ToolCallPart: {
    type: ["The kind of the part."],
    tool_call_id: SHARED.tool_call_id,
    tool_name: SHARED.tool_name,
    kind: ["Where the tool comes from."],
    args: [
      "The arguments from the model; a string if they are not valid JSON.",
      { version: "v12" },
    ],
    approved_args: [
      "What a person has changed the arguments to before they approved them; the call runs with these.",
      { version: "v13" },
    ],
    state: ["The state of the call; the first three are open."],
    output: [
      "The output of a dynamic tool with its secrets masked, `ExecResult`, `AdvisorResult`, or what the model reads.",
      { version: "v12" },
    ],
    for_user: SHARED.for_user,
    silent: ["True if people are not shown the result."],
    artifacts: ["Files that the tool made."],
    response_handled: ["True if the person has the result already."],
    is_async: ["True if the work of the call goes on after the call, as a task."],
    task_id: [
      "That task, which `GET /chats/{chat_id}/tasks` lists, and whose report has the same `task_id`.",
      SHARED.task_id[1],
    ],
    is_error: ["True if the call failed; the model sees it."],
    elicitations: ["What the server of an MCP tool has asked in the middle of the call."],
    resolved_by: ["Who answered: a user's id, `api_key:` and an id, or `worker`.", "worker"],
    started_at: ["When the call began."],
    completed_at: ["When the call ended."],
  } satisfies FieldTexts<ToolCallPart>,
  Artifact: ARTIFACT_TEXTS,
  FilePart: {
    type: ["The kind of the part."],
    file_id: ["The id of the file.", "0198c0de-0000-7000-8000-000000000005"],
    name: ["The name of the file.", "photo.png"],
    media_type: ["The type of the content.", "image/png"],
    size: ["The size in bytes.", 1_024],
    ...PIXELS,
  } satisfies FieldTexts<FilePart>,
  ReportPart: {
    type: ["The kind of the part."],
    task_id: SHARED.task_id,
    tool_call_id: ["The id of the call that began the task.", "call_1"],
    kind: ["What works on the task: an agent, a command or a tool."],
    label: ["What the task is about.", "Compare the libraries"],
    state: ["How the task has ended."],
    agent_chat_id: ["The chat of the agent, if it is the report of one."],
    output: ["What the task has ended with, for the model.", "hello"],
    for_user: SHARED.for_user,
    artifacts: ["Files that the task made."],
  } satisfies FieldTexts<ReportPart>,
  SummaryPart: {
    type: ["The kind of the part."],
    reason: [
      "Why the model reads the history from here on: the context was nearly full, a person asked for a summary, the provider refused the prompt as too long, or a person cleared the context.",
    ],
    instructions: ["What a person has asked to keep in particular.", "Keep the decisions"],
    kept: ["The `seq` of each earlier message that the model still reads as it is.", [41, 42]],
    tokens_before: ["Estimated tokens of the prompt before.", 160_000],
    tokens_after: ["Estimated tokens of the prompt after.", 9_000],
  } satisfies FieldTexts<SummaryPart>,
} satisfies SchemaTexts;
