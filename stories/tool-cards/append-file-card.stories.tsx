import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { AppendFileCard } from "@/components/tool-cards/append-file-card";
import { showStates } from "../show-states";
import { callInState, NOW } from "./call-in-state";

const call = {
  tool_name: "append_file",
  kind: "builtin" as const,
  args: { path: "notes/tides.md", content: "- highest on Friday\n" },
  args_text: '{"path":"notes/tides.md","content":"- highest on Fr',
  output: 'Added 20 bytes to "notes/tides.md", which now has 47.',
};

const meta = {
  component: AppendFileCard,
  args: { part: callInState(call, "completed"), now: NOW },
} satisfies Meta<typeof AppendFileCard>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Added: {},
  "Partial content": { args: { part: callInState(call, "streaming") } },
});

export const TestAdded: Story = {
  name: "(Test) Opens to the text that was added, and to what the file has now",
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /^Append to file notes\/tides.md/ }));
    await expect(canvas.getByRole("group", { name: "Added" })).toHaveTextContent(
      "- highest on Friday",
    );
    await expect(canvas.getByRole("group", { name: "Output" })).toHaveTextContent("now has 47");
  },
};

export const TestWrongShape: Story = {
  name: "(Test) Arguments of a wrong shape do not break the card",
  args: { part: { ...callInState(call, "completed"), args: { path: 7, content: ["x"] } } },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /Append to file/ }));
    await expect(canvas.getByRole("group", { name: "Output" })).toHaveTextContent(/^Added 20/);
  },
};
