import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fireEvent, fn } from "storybook/test";
import { FindableFold } from "@/components/ui/findable-fold";
import { showStates } from "../show-states";

const meta = {
  component: FindableFold,
  args: { isFolded: true, onFound: fn(), children: <p>High water is at 08:52.</p> },
} satisfies Meta<typeof FindableFold>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Folded: {
    play: async ({ canvas }) => {
      await expect(canvas.getByText(/08:52/)).not.toBeVisible();
    },
  },
  Unfolded: {
    args: { isFolded: false },
    play: async ({ canvas }) => {
      await expect(canvas.getByText(/08:52/)).toBeVisible();
    },
  },
});

export const TestFound: Story = {
  name: "(Test) The browser's search asks to unfold what it finds",
  play: async ({ args, canvas }) => {
    const fold = canvas.getByText(/08:52/).parentElement;
    await expect(fold).toHaveAttribute("hidden", "until-found");
    await fireEvent(fold ?? document, new Event("beforematch", { bubbles: true }));
    await expect(args.onFound).toHaveBeenCalledTimes(1);
  },
};
