import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import ToolCall from "@/components/tool-cards/tool-call";
import type { ToolCallView } from "@/contract/chat-view";
import { showStates } from "../show-states";
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

export const States: Story = showStates(meta, {
  "Built in": {},
  Dynamic: { args: { part: { ...builtin("lookup_harbour"), kind: "dynamic" } } },
  /** No card can render this. */
  "Data that breaks the card is shown as JSON": {
    args: {
      part: {
        type: "tool_call",
        tool_call_id: "call_1",
        kind: "dynamic",
      } as unknown as ToolCallView,
    },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("group", { name: "Tool call" })).toHaveTextContent("call_1");
    },
  },
  "A built-in tool has its own card": {
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("button", { name: /Read file notes\.md/ })).toBeVisible();
    },
  },
  "A tool named like an object’s own property gets the generic card": {
    args: { part: builtin("constructor") },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("button", { name: /Constructor/ })).toBeVisible();
    },
  },
  "A built-in tool of an older version gets the generic card": {
    args: { part: builtin("retired_tool") },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("button", { name: /Retired tool/ })).toBeVisible();
    },
  },
});
