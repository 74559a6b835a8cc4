import type { AgentType } from "@/contract/agent-type";
import { DEEP } from "./fixtures";

export const GENERAL: AgentType = {
  name: "general",
  description: "Does a whole piece of work",
  prompt: "",
  tools: null,
  model_id: null,
  max_steps: null,
  inherit_dynamic_tools: false,
};
export const EXPLORE: AgentType = {
  name: "explore",
  description: "Finds things out, and changes nothing",
  prompt: "Change nothing.",
  tools: ["read_file", "lint"],
  model_id: DEEP.id,
  max_steps: 20,
  inherit_dynamic_tools: true,
};
