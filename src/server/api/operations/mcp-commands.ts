import * as z from "zod";
import { McpCommandList, McpCommandText, RunMcpCommandInput } from "@/contract/mcp-command";
import { defineOperation } from "@/server/api/operation";
import { listMcpCommands, runMcpCommand } from "@/server/settings/mcp-commands";

export const listMcpCommandsOperation = defineOperation({
  name: "mcpCommands.list",
  method: "GET",
  path: "/mcp-commands",
  summary: "List the prompts and resources of MCP servers, which are commands in messages",
  scope: "read",
  input: z.strictObject({}),
  output: McpCommandList,
  status: 200,
  run: listMcpCommands,
});

export const runMcpCommandOperation = defineOperation({
  name: "mcpCommands.run",
  method: "POST",
  path: "/mcp-commands/{name}/run",
  summary: "Read the text that a prompt or resource of an MCP server stands for in a message",
  scope: "chat",
  input: RunMcpCommandInput,
  output: McpCommandText,
  status: 200,
  ignoresIdempotencyKey: true,
  run: runMcpCommand,
});
