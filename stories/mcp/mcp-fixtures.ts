import type { McpServer } from "@/contract/mcp-server";

const COMMON = {
  ...({ approval: "annotations", timeout_seconds: 60, enabled: true } as const),
  secret_names: [],
  tools: [],
  notices: [],
  updated_at: "2026-03-12T12:00:00.000Z",
};

export const GITHUB: McpServer = {
  ...COMMON,
  id: "0198c0de-0000-7000-8000-000000000021",
  name: "github",
  transport: {
    type: "http",
    url: "https://mcp.example.org/mcp",
    allow_private: false,
    headers: { Authorization: "Bearer ${MCP_GITHUB_TOKEN}" },
  },
  state: "connected",
  tools: [
    {
      name: "github_search",
      tool: "search",
      needs_approval: false,
      description: "Searches issues and pull requests",
    },
    {
      name: "github_merge",
      tool: "merge",
      needs_approval: true,
      description: "Merges a pull request",
    },
  ],
};

export const FILES: McpServer = {
  ...COMMON,
  id: "0198c0de-0000-7000-8000-000000000022",
  name: "files",
  transport: {
    type: "stdio",
    command: "npx",
    args: ["-y", "@example/files", "the files"],
    env: { LOG_LEVEL: "info", API_TOKEN: "${MCP_FILES_TOKEN}" },
    network: true,
  },
  state: "failed",
  error: "The program has ended with exit code 1. npm error code ENOTFOUND",
};

export const WITHOUT_NETWORK: McpServer = {
  ...FILES,
  transport: { ...FILES.transport, network: false } as McpServer["transport"],
  error: `The program has ended with exit code 1. It had no network, which the settings of the server can allow. npm error code EAI_AGAIN
npm error request to https://registry.npmjs.org/@example%2ffiles failed`,
};

export const SWITCHED_OFF: McpServer = { ...FILES, name: "notes", state: "off", enabled: false };
export const CONNECTING: McpServer = { ...GITHUB, name: "wiki", state: "connecting", tools: [] };
export const CROWDED: McpServer = {
  ...GITHUB,
  id: "0198c0de-0000-7000-8000-000000000023",
  name: "crowded",
  tools: Array.from({ length: 500 }, (_, index) => ({
    name: `crowded_tool_${index}`,
    tool: `tool_${index}`,
    needs_approval: true,
    description: "Does one of many things",
  })),
  notices: ["The server has 10000 tools: the first 500 are offered."],
};

export const SERVERS = [GITHUB, FILES, CROWDED];
