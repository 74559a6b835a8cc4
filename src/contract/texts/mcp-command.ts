import type {
  McpCommand,
  McpCommandArgument,
  McpCommandContent,
  McpCommandList,
  RunMcpCommandInput,
} from "@/contract/mcp-command";
import type { FieldTexts, SchemaTexts } from "./schema-texts";

export const MCP_COMMAND_TEXTS = {
  McpCommand: {
    name: ["What follows the slash in a message.", "github:review"],
    kind: ["Whether it is a prompt or a resource."],
    description: ["What it is, by its server.", "Reviews a change"],
    arguments: ["What it needs, and what it may have."],
  } satisfies FieldTexts<McpCommand>,
  McpCommandArgument: {
    name: ["By which its value is given.", "branch"],
    description: ["What it is for, by the server.", "The branch"],
    required: ["False if it may be left out."],
  } satisfies FieldTexts<McpCommandArgument>,
  McpCommandContent: {
    text: ["The text of the message; empty if there are only files.", "Review the change."],
    files: [
      "The files of the message, which has them as parts `file`. They belong to no chat yet.",
    ],
  } satisfies FieldTexts<McpCommandContent>,
  "mcpCommands.list": {
    data: ["The commands."],
    notices: ["A sentence for each thing that was left out.", []],
  } satisfies FieldTexts<McpCommandList>,
  "mcpCommands.run": {
    name: ["The name of the command, without the slash.", "github:review"],
    arguments: ["Texts by the names of arguments.", { branch: "main" }],
  } satisfies FieldTexts<RunMcpCommandInput>,
} satisfies SchemaTexts;
