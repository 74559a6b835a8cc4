import type { Group } from "@/contract/group";

export const REVIEW: Group = {
  name: "review",
  description: "Reads a change and names its faults",
  tools: ["read_file", "lint"],
  dynamic_tools: [],
  prompt: "Name each fault by its line.",
  include_default_prompt: false,
};
export const PLAN: Group = {
  name: "plan",
  description: "",
  tools: [],
  dynamic_tools: [],
  prompt: "",
  include_default_prompt: true,
};
export const TOOLS = [
  { name: "exec", description: "Runs a command in the workspace" },
  { name: "read_file", description: "Reads a file of the workspace, a page of lines at a time" },
  { name: "todo_write", description: "Writes the list of what is to do" },
];
