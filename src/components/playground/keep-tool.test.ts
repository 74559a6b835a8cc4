import { expect, it } from "vitest";
import { Group } from "@/contract/group";
import { addKeptTool, describeKeeping } from "./keep-tool";

const tool = { name: "refund", output_schema: { type: "boolean" } };
const review = Group.parse({ name: "review", tools: ["read_file"], prompt: "Name each fault." });
const refunds = Group.parse({
  name: "refunds",
  tools: [],
  dynamic_tools: [{ name: "refund" }, { name: "other" }],
});
const config = { groups: [review, refunds], version: 3 };
const keepIn = (groupName: string) => addKeptTool(config, { groupName, tool });
const describeIn = (groupName: string) =>
  describeKeeping(config.groups, { groupName, toolName: tool.name });

it("a tool is kept in a new group behind the others", () => {
  const kept = Group.parse({ name: "new", tools: [], dynamic_tools: [tool] });
  expect(keepIn("new")).toEqual({ groups: [review, refunds, kept], version: 3 });
  expect(describeIn("new")).toContain("A new group.");
});

it("a tool is added to a group that is there, which keeps all it has", () => {
  expect(keepIn("review").groups[0]).toEqual({ ...review, dynamic_tools: [tool] });
  expect(describeIn("review")).toContain("gets the tool too");
});

it("a tool takes the place of that of the same name", () => {
  const [, changed] = keepIn("refunds").groups;
  expect(changed).toEqual({ ...refunds, dynamic_tools: [tool, { name: "other" }] });
  expect(describeIn("refunds")).toContain("is replaced");
});

it("nothing is said of what is no name", () => {
  expect(describeIn("")).toBeUndefined();
  expect(describeIn("two words")).toBeUndefined();
});
