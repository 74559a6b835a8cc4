import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import MessageJumps from "@/components/chat/message-jumps";
import { showStates } from "../show-states";

const meta = {
  component: MessageJumps,
  args: { isLoading: false, onFirst: fn(), onPrevious: fn(), onNext: fn(), onLatest: fn() },
  decorators: [(Story) => <div className="relative h-24">{Story()}</div>],
} satisfies Meta<typeof MessageJumps>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  "At rest": {},
  "The way to the first message is busy while messages load": {
    args: { isLoading: true },
    play: async ({ canvas }) => {
      const first = canvas.getByRole("button", { name: "First message" });
      await expect(first).toHaveAttribute("aria-busy", "true");
      const latest = canvas.getByRole("button", { name: "Jump to latest" });
      await expect(latest).not.toHaveAttribute("aria-busy", "true");
    },
  },
});

export const Narrow: Story = {
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};

export const TestButtons: Story = {
  name: "(Test) Each button moves to its message, in the order of the keyboard",
  play: async ({ args, userEvent }) => {
    for (const move of [args.onFirst, args.onPrevious, args.onNext, args.onLatest]) {
      await userEvent.tab();
      await expect(move).not.toHaveBeenCalled();
      await userEvent.keyboard("{Enter}");
      await expect(move).toHaveBeenCalledOnce();
    }
  },
};

export const TestThrough: Story = {
  name: "(Test) The messages beside the buttons can be clicked",
  play: async ({ canvas }) => {
    const group = canvas.getByRole("group", { name: "Move through the chat" });
    const { left, top, height } = group.getBoundingClientRect();
    const behind = document.elementFromPoint(left - 8, top + height / 2);
    await expect(group.parentElement?.contains(behind)).toBe(false);
  },
};
