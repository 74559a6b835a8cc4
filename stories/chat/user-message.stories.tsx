import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { UserMessage } from "@/components/chat/user-message";
import { showStates } from "../show-states";
import { tidesCsv, tidesImage } from "../tool-cards/files";
import { userMessage } from "./fixtures";

const withFiles = (text: string) => {
  const message = userMessage(1, text);
  return {
    ...message,
    parts: [
      {
        type: "file" as const,
        file_id: tidesImage.id,
        ...rest(tidesImage),
        width: 320,
        height: 180,
      },
      { type: "file" as const, file_id: tidesCsv.id, ...rest(tidesCsv) },
      ...message.parts.filter((part) => part.type !== "text" || part.text !== ""),
    ],
  };
};

const rest = ({ name, media_type, size }: typeof tidesImage) => ({ name, media_type, size });

const meta = {
  component: UserMessage,
  args: { message: userMessage(1, "When can we get through the sound on Saturday?"), onEdit: fn() },
} satisfies Meta<typeof UserMessage>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Short: {},
  "Several lines": {
    args: { message: userMessage(1, "Three things:\n- tides\n- wind\n- mooring") },
  },
  "Long word": { args: { message: userMessage(1, "x".repeat(400)) } },
  "With files": { args: { message: withFiles("Which one is the pier?") } },
  "Files only": { args: { message: withFiles("") } },
  "The text is not rendered as markdown": {
    args: { message: userMessage(1, "# not **a** heading") },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("# not **a** heading")).toBeVisible();
    },
  },
});

const MANIFEST = Array.from({ length: 40 }, (_, line) => `container ${line + 1}: tea`).join("\n");

export const TestLong: Story = {
  name: "(Test) A long message is folded until all of it is asked for",
  args: { message: userMessage(1, MANIFEST) },
  play: async ({ canvas, userEvent }) => {
    const text = canvas.getByText(/^container 1:/);
    const folded = text.clientHeight;
    await expect(text.scrollHeight).toBeGreaterThan(folded);
    await userEvent.click(canvas.getByRole("button", { name: "Show all", expanded: false }));
    await expect(text.clientHeight).toBe(text.scrollHeight);
    await userEvent.click(canvas.getByRole("button", { name: "Show less", expanded: true }));
    await expect(text.clientHeight).toBe(folded);
  },
};

export const NotEditable: Story = { render: ({ message }) => <UserMessage message={message} /> };

export const TestEdit: Story = {
  name: "(Test) Enter on the Edit button calls onEdit",
  play: async ({ args, canvas, userEvent }) => {
    canvas.getByRole("button", { name: "Edit message" }).focus();
    await userEvent.keyboard("{Enter}");
    await expect(args.onEdit).toHaveBeenCalledTimes(1);
  },
};
