/**
 * Tests that use a database and are the same with any, so that once, with the embedded one, is enough; each says why. All
 * other tests that use one run on PostgreSQL, too. These reach it by the API, verbs and fixtures only: a test that
 * depends on connections, locks, transactions, notifications or statements has its place in another file.
 */
export const WITHOUT_POSTGRES: Readonly<Record<string, string>> = {
  "src/**/*.wire.test.ts": "what a provider is sent",
  "src/server/agents/agent-refusals.test.ts": "which calls of agents are refused",
  "src/server/api/agent-types.test.ts": "what a setting may be",
  "src/server/api/agreement.test.ts": "that REST and tRPC answer the same",
  "src/server/api/config.test.ts": "what a setting may be",
  "src/server/api/groups.test.ts": "what a setting may be",
  "src/server/api/handle-metrics.test.ts": "the format of metrics",
  "src/server/api/mcp-servers.test.ts": "programs that are started for a setting",
  "src/server/api/output-schemas.test.ts": "the shape of answers",
  "src/server/api/ownership.test.ts": "what a route answers to another person",
  "src/server/api/recipe-files.test.ts": "files of a folder",
  "src/server/api/recipes.test.ts": "what a setting may be",
  "src/server/api/rest/rest-fuzz.test.ts": "requests that are refused by their shape",
  "src/server/api/rest/rest-problems.test.ts": "how a refusal is told",
  "src/server/api/scopes.test.ts": "what is refused by the scope of a key",
  "src/server/api/tools.test.ts": "the list of tools",
  "src/server/app/check-workspaces.test.ts": "folders of a disk",
  "src/server/db/connection/damage.test.ts": "the embedded database alone",
  "src/server/db/connection/embedded.test.ts": "the embedded database alone",
  "src/server/mcp/questions/elicitation.test.ts": "what a server of tools is answered",
  "src/server/settings/chosen-tools.test.ts": "which tools a turn has",
  "src/server/turn/advise.test.ts": "what an advisor is sent",
  "src/server/turn/artifact-tools.test.ts": "what tools return",
  "src/server/turn/result-share.test.ts": "how much of a result the model reads",
  "src/server/turn/unusable-calls.test.ts": "which calls of a model are refused",
};
