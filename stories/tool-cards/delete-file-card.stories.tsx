import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import DeleteFileCard from "@/components/tool-cards/cards/delete-file-card";
import { showStates } from "../show-states";
import { callInState, NOW } from "./call-in-state";
import { showCallStates } from "./show-call-states";

const call = {
  tool_name: "delete_file",
  kind: "builtin" as const,
  args: { path: "notes/old.md" },
  args_text: '{"path":"notes/ol',
  output: 'Deleted "notes/old.md".',
};

const meta = {
  component: DeleteFileCard,
  args: { part: callInState(call, "completed"), now: NOW },
} satisfies Meta<typeof DeleteFileCard>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Completed: {},
  "Completed: the line says when a directory goes with everything in it": {
    args: {
      part: {
        ...callInState(call, "completed"),
        args: { path: "notes", recursive: true },
        output: 'Deleted the directory "notes" with everything in it.',
      },
    },
    play: async ({ canvas }) => {
      await expect(
        canvas.getByRole("button", { name: /^Delete with everything in it notes/ }),
      ).toBeVisible();
    },
  },
  "Awaiting approval": { args: { part: callInState(call, "awaiting_approval") } },
});

export const TestWrongShape: Story = {
  name: "(Test) Arguments of a wrong shape do not break the card",
  args: { part: { ...callInState(call, "completed"), args: [7] } },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /^Delete file/ }));
    await expect(canvas.getByRole("group", { name: "Output" })).toHaveTextContent(/^Deleted/);
  },
};

export const AllStates: Story = { tags: ["!test"], ...showCallStates(meta) };
