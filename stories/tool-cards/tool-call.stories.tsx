import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import ToolCall from "@/components/tool-cards/tool-call";
import type { ToolCallView } from "@/contract/chat-view";
import { callInState, NOW } from "./call-in-state";

const builtin = (tool_name: string): ToolCallView =>
  callInState(
    { tool_name, kind: "builtin", args: { path: "notes.md" }, args_text: "", output: "3 lines" },
    "completed",
  );

const meta = {
  component: ToolCall,
  args: { part: builtin("read_file"), now: NOW },
} satisfies Meta<typeof ToolCall>;
export default meta;
type Story = StoryObj<typeof meta>;

export const BuiltIn: Story = {};
export const Dynamic: Story = {
  args: { part: { ...builtin("lookup_harbour"), kind: "dynamic" } },
};

/** No card can render this. */
export const Broken: Story = {
  args: {
    part: { type: "tool_call", tool_call_id: "call_1", kind: "dynamic" } as unknown as ToolCallView,
  },
};

export const TestOwnCard: Story = {
  name: "(Test) A built-in tool has its own card",
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("button", { name: /Read file notes\.md/ })).toBeVisible();
  },
};

export const TestInheritedName: Story = {
  name: "(Test) A tool named like an object’s own property gets the generic card",
  args: { part: builtin("constructor") },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("button", { name: /Constructor/ })).toBeVisible();
  },
};

export const TestUnknownBuiltIn: Story = {
  name: "(Test) A built-in tool of an older version gets the generic card",
  args: { part: builtin("retired_tool") },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("button", { name: /Retired tool/ })).toBeVisible();
  },
};

export const TestBroken: Story = {
  name: "(Test) Data that breaks the card is shown as JSON",
  ...Broken,
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("group", { name: "Tool call" })).toHaveTextContent("call_1");
  },
};
