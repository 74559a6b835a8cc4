import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { FileContent } from "@/components/tool-cards/file-content";
import { showStates } from "../show-states";
import { callInState } from "./call-in-state";

const call = {
  tool_name: "append_file",
  kind: "builtin" as const,
  args: { path: "notes/tides.md", content: "- springs\n" },
  args_text: '{"path":"notes/tides.md","content":"- spr',
  output: "Appended 10 bytes to notes/tides.md.",
};
const completed = callInState(call, "completed");

const meta = {
  component: FileContent,
  args: { part: completed, label: "Added text" },
} satisfies Meta<typeof FileContent>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Completed: {},
  Streaming: { args: { part: callInState(call, "streaming") } },
  Failed: { args: { part: callInState(call, "error") } },
  "What changed replaces the content": {
    args: { part: { ...completed, for_user: "+- springs run strong" } },
    play: async ({ canvas }) => {
      await expect(canvas.queryByRole("group", { name: "Added text" })).toBeNull();
    },
  },
});
