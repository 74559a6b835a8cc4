import * as z from "zod";
import { AgentTypesConfig, AgentTypesInput } from "@/contract/agent-type";
import { defineOperation } from "@/server/api/operation";
import { getAgentTypes, setAgentTypes } from "@/server/settings/manage-agent-types";

export const getAgentTypesOperation = defineOperation({
  name: "config.getAgentTypes",
  method: "GET",
  path: "/config/agent-types",
  summary: "Read the agent types; administrators only",
  scope: "admin",
  input: z.strictObject({}),
  output: AgentTypesConfig,
  status: 200,
  run: getAgentTypes,
});

export const setAgentTypesOperation = defineOperation({
  name: "config.setAgentTypes",
  method: "PUT",
  path: "/config/agent-types",
  summary: "Replace all agent types; administrators only",
  scope: "admin",
  input: AgentTypesInput,
  output: AgentTypesConfig,
  status: 200,
  run: setAgentTypes,
});
