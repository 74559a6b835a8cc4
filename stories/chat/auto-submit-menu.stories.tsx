import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen } from "storybook/test";
import { AutoSubmitMenu } from "@/components/chat/auto-submit-menu";
import { showStates } from "../show-states";

const meta = {
  component: AutoSubmitMenu,
  args: { value: { success: true, error: true }, onChange: fn(), disabled: false },
} satisfies Meta<typeof AutoSubmitMenu>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  "Goes on": {},
  Waits: { args: { value: { success: false, error: false } } },
  "Waits after success": { args: { value: { success: false, error: true } } },
});

export const Open: Story = {
  args: { value: { success: true, error: false } },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(
      canvas.getByRole("button", { name: "After tools: waits for you after an error" }),
    );
    await expect(
      await screen.findByRole("switch", { name: "Go on after a success" }),
    ).toBeChecked();
  },
};

export const TestChange: Story = {
  ...Open,
  name: "(Test) Each switch changes its part",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button"));
    await userEvent.click(await screen.findByRole("switch", { name: "Go on after an error" }));
    await expect(args.onChange).toHaveBeenCalledWith({ error: true });
    await userEvent.click(screen.getByRole("switch", { name: "Go on after a success" }));
    await expect(args.onChange).toHaveBeenCalledWith({ success: false });
  },
};
