import * as z from "zod";
import { McpCommandContent, McpCommandList, RunMcpCommandInput } from "@/contract/mcp-command";
import { defineOperation } from "@/server/api/operation";
import { runCommand } from "@/server/chat/run-command";
import { listMcpCommands } from "@/server/settings/mcp-commands";

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
  summary: "Read what a prompt or resource of an MCP server stands for in a message",
  scope: "chat",
  input: RunMcpCommandInput,
  output: McpCommandContent,
  status: 200,
  ignoresIdempotencyKey: true,
  run: runCommand,
});
