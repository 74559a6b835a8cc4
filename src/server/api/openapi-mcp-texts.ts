import type { FieldText } from "./openapi-recipe-texts";

const DECLARED: Record<string, FieldText> = {
  approval: ["Which calls need an approval, unless a mode or a rule says so."],
  enabled: ["False if it is switched off."],
  name: ["By which the names of its tools begin.", "github"],
  timeout_seconds: ["How long a call may take.", 60],
  transport: ["The way to the server."],
};

const of = (schema: string): [string, FieldText][] =>
  Object.entries(DECLARED).map(([field, text]) => [`${schema}.${field}`, text]);

/** Of MCP servers: by the name of a schema or an operation. */
export const MCP_SPECIAL_FIELDS: Record<string, FieldText> = {
  ...Object.fromEntries(
    ["McpServer", "McpServerDeclaration", "mcpServers.create", "mcpServers.update"].flatMap(of),
  ),
  "McpCommand.arguments": ["What it needs, and what it may have."],
  "McpCommand.description": ["What it is, by its server.", "Reviews a change"],
  "McpCommand.kind": ["Whether it is a prompt or a resource."],
  "McpCommand.name": ["What follows the slash in a message.", "github:review"],
  "McpCommandArgument.description": ["What it is for, by the server.", "The branch"],
  "McpCommandArgument.name": ["By which its value is given.", "branch"],
  "McpCommandArgument.required": ["False if it may be left out."],
  "McpCommandText.text": ["What the command stands for in a message.", "Review the change."],
  "mcpCommands.run.arguments": ["Texts by the names of arguments.", { branch: "main" }],
  "mcpCommands.run.name": ["The name of the command, without the slash.", "github:review"],
  ...Object.fromEntries(
    ["Elicitation", "PendingElicitation", "AnsweredElicitation"].map((schema) => [
      `${schema}.message`,
      ["What the server asks.", "Which branch?"],
    ]),
  ),
  "AnsweredElicitation.answer": ["The answer; absent while there is none.", { action: "decline" }],
  "ElicitationAnswer.action": ["Whether the question is answered, refused or closed."],
  "ElicitationAnswer.content": ["A value for each field.", { branch: "Harbour" }],
  "PendingElicitation.number": ["Counts the questions of the call.", 1],
  "McpHttpTransport.type": ["The server is reached at an address."],
  "McpHttpTransport.url": ["The address of its streamable HTTP.", "https://mcp.example.org/mcp"],
  "McpServer.error": ["Why the last attempt to connect failed.", "The program has ended."],
  "McpServer.state": ["Whether the process that answers is connected to it."],
  "McpServer.tools": ["The tools that it had last."],
  "McpServerTestResult.detail": ["Why it failed.", "The program has ended."],
  "McpServerTestResult.message": [
    "One sentence for people.",
    'The MCP server "github" has 2 tools.',
  ],
  "McpServerTool.description": ["What the tool does, by the server.", "Searches issues"],
  "McpServerTool.name": ["The name by which models call it.", "github_search"],
  "McpStdioTransport.args": ["Its arguments.", ["-y", "@example/server"]],
  "McpStdioTransport.command": ["The program.", "npx"],
  "McpStdioTransport.env": [
    "Variables of the program; `${MCP_…}` is a variable of the environment of this server.",
    { API_TOKEN: "${MCP_TOKEN}" },
  ],
  "McpStdioTransport.type": ["The server is a program that runs in the sandbox."],
};

/** Of MCP servers: fields that mean the same wherever they are. */
export const MCP_FIELDS: Record<string, FieldText> = {
  answered_by: ["The id of the user who has answered, or `api_key:<id>`.", "user_1"],
  elicitation: [
    "What the server of an MCP tool asks. The output of the result is then an `ElicitationAnswer`.",
  ],
  elicitations: ["What the server of an MCP tool has asked in the middle of the call."],
  question: [
    "The number of the `elicitation` that the result answers. If the server asks something else by now, the answer is a `409`.",
    1,
  ],
  requested_schema: [
    "The schema of the answer's content.",
    { type: "object", properties: { branch: { type: "string" } } },
  ],
  allow_private: ["True if private addresses are allowed; metadata of a cloud never is."],
  headers: [
    "Headers of each request; `${MCP_…}` is a variable of the environment of this server.",
    { Authorization: "Bearer ${MCP_TOKEN}" },
  ],
  network: ["True if the program has the network."],
  notices: ["A sentence for each thing that was left out.", []],
  server_id: ["The id of the MCP server."],
  tool: ["The name that the server has given it.", "search"],
};
