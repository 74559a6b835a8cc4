import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { EmptyChat } from "@/components/chat/empty-chat";
import { EXAMPLE_PROMPTS } from "@/components/chat/example-prompts";
import { showStates } from "../show-states";

const meta = {
  component: EmptyChat,
  args: {
    onSelect: fn(),
    onNavigate: fn(),
    isFirst: true,
    demo: "connectable",
    disabled: false,
  },
} satisfies Meta<typeof EmptyChat>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  "First chat with a real model": { args: { demo: "none" } },
  "Real model": { args: { isFirst: false, demo: "none" } },
  "First chat with the demo model": {},
  "Demo model": { args: { isFirst: false } },
  "Demo model for members": { args: { demo: "fixed" } },
  Disabled: { args: { disabled: true } },
});

export const TestSelect: Story = {
  name: "(Test) A click on an example calls onSelect with its prompt",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /Make a plan/ }));
    await expect(args.onSelect).toHaveBeenCalledWith(
      expect.objectContaining({ prompt: "Make a plan for a day in Lisbon" }),
    );
  },
};
export const TestToolExample: Story = {
  name: "(Test) The tool that you answer is selected with its declaration",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /A tool that you answer/ }));
    const example = EXAMPLE_PROMPTS.find(({ tool }) => tool?.output_schema !== undefined);
    await expect(example).toBeDefined();
    await expect(args.onSelect).toHaveBeenCalledWith(example);
  },
};
export const TestConnect: Story = {
  name: "(Test) The demo model is named, with a link to the settings",
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByText(/The demo model answers/)).toBeVisible();
    await userEvent.click(canvas.getByRole("link", { name: "Connect a real model" }));
    await expect(args.onNavigate).toHaveBeenCalledWith("/settings/models");
  },
};
