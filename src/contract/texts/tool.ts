import type { CardContent, SetToolModeInput, Tool, ToolList } from "@/contract/tool";
import type { FieldTexts, SchemaTexts } from "./schema-texts";

export const TOOL_TEXTS = {
  CardContent: {
    label: ["What the tool does, in words.", "Append to file"],
    icon: ["The icon of the calls."],
    detail: ["The argument that is shown beside the label.", "path"],
    "text.argument": ["The argument that is shown as a text.", "content"],
    "text.label": ["The heading of that text.", "Added"],
    text: ["Which argument is shown as a text."],
  } satisfies FieldTexts<CardContent>,
  Tool: {
    name: ["The name of the tool.", "current_time"],
    source: ["Where the tool comes from."],
    description: ["What the tool does.", "The current date and time"],
    input_schema: [
      "JSON Schema of the arguments of its calls.",
      { type: "object", properties: {}, additionalProperties: false },
    ],
    mode: ["Whether the tool is on, off, or asks before each call."],
    offered: ["True if new chats are offered the tool."],
    for_chosen: [
      "True if the tool is offered only to chats that have chosen it, by itself or by a group; `offered` is false then. Missing otherwise.",
      true,
    ],
    root_only: ["True if child chats cannot use the tool.", false],
    read_only: [
      "True if calls only read. An MCP server's `readOnlyHint` counts while its record says `annotations`; recipes do not say it.",
      true,
    ],
    reason: ["Why the tool is not offered.", "An administrator has turned this tool off."],
    notice: [
      "What is not as it should be, although the server can run the tool.",
      "Commands run in unshare, as bubblewrap does not work here: The program bwrap is not installed.",
    ],
    approval_pattern: [
      "The text in the `approval_scope` of its calls that the `pattern` of an approval matches. Missing if the tool takes no patterns, as `exec` without a sandbox.",
      "command",
    ],
    asks_each_time: [
      "True if the `scope` of an approval can be `call` only, and rules from before do not count, as for commands without a sandbox. Missing otherwise.",
      true,
    ],
    card: ["How calls of the tool are shown where it has no card of its own."],
  } satisfies FieldTexts<Tool>,
  "tools.list": {
    data: ["The tools."],
  } satisfies FieldTexts<ToolList>,
  "tools.setMode": {
    name: ["The name of the tool.", "current_time"],
    mode: ["Whether the tool is on, off, or asks before each call."],
  } satisfies FieldTexts<SetToolModeInput>,
} satisfies SchemaTexts;
