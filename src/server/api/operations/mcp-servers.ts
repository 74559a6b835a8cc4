import * as z from "zod";
import {
  McpServer,
  McpServerInput,
  McpServerList,
  McpServerRef,
  McpServerTestResult,
  UpdateMcpServerInput,
} from "@/contract/mcp-server";
import { defineOperation } from "@/server/api/operation";
import {
  createMcpServer,
  deleteMcpServer,
  listAllMcpServers,
  testMcpServer,
  updateMcpServer,
} from "@/server/settings/manage-mcp-servers";

export const listMcpServersOperation = defineOperation({
  name: "mcpServers.list",
  method: "GET",
  path: "/config/mcp-servers",
  summary: "List the MCP servers with their states and tools; administrators only",
  scope: "admin",
  input: z.strictObject({}),
  output: McpServerList,
  status: 200,
  run: async (ctx) => ({ data: await listAllMcpServers(ctx) }),
});

export const createMcpServerOperation = defineOperation({
  name: "mcpServers.create",
  method: "POST",
  path: "/config/mcp-servers",
  summary: "Add an MCP server; administrators only",
  scope: "admin",
  input: McpServerInput,
  output: McpServer,
  status: 201,
  run: createMcpServer,
});

export const updateMcpServerOperation = defineOperation({
  name: "mcpServers.update",
  method: "PATCH",
  path: "/config/mcp-servers/{server_id}",
  summary: "Change an MCP server; administrators only",
  scope: "admin",
  input: UpdateMcpServerInput,
  output: McpServer,
  status: 200,
  run: updateMcpServer,
});

export const deleteMcpServerOperation = defineOperation({
  name: "mcpServers.delete",
  method: "DELETE",
  path: "/config/mcp-servers/{server_id}",
  summary: "Delete an MCP server with its files; administrators only",
  scope: "admin",
  input: McpServerRef,
  output: z.void(),
  status: 204,
  run: deleteMcpServer,
});

export const testMcpServerOperation = defineOperation({
  name: "mcpServers.test",
  method: "POST",
  path: "/config/mcp-servers/{server_id}/test",
  summary: "Connect to an MCP server once, and list its tools; administrators only",
  scope: "admin",
  input: McpServerRef,
  output: McpServerTestResult,
  status: 200,
  ignoresIdempotencyKey: true,
  run: testMcpServer,
});
