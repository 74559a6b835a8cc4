/** What the groups of operations are for, in the order in which a reader meets them. */
export const TAGS: Record<string, string> = {
  chats: "Chats, their turns, and the results and approvals that they wait for.",
  messages: "The history of a chat.",
  queue: "Messages that wait for the end of a turn.",
  tasks: "Work that goes on after its call, and the reports that it ends with.",
  files: "Files of chats.",
  tools: "The tools of the server.",
  approvalRules: "What chats may do without an approval.",
  models: "The models of the server.",
  groups: "Tools and instructions that chats choose together.",
  mcpCommands: "Prompts and resources of MCP servers, which are commands in messages.",
  mcpServers: "Servers of the Model Context Protocol, whose tools chats may use.",
  recipes: "Tools that administrators declare: commands and texts.",
  config: "Settings of the server.",
  apiKeys: "Keys for programs.",
  account: "The caller's password and browsers.",
  openapi: "This document.",
};
