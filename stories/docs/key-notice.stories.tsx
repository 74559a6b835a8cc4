import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { KeyNotice } from "@/components/docs/key-notice";
import { showStates } from "../show-states";

const meta = {
  component: KeyNotice,
  args: { keyName: undefined, onForget: fn(), onNavigate: fn() },
} satisfies Meta<typeof KeyNotice>;
export default meta;
type Story = StoryObj<typeof meta>;

const withKey: Story = { args: { keyName: "Nightly report" } };

export const States: Story = showStates(meta, {
  "Without key": {},
  "With key": withKey,
});

export const Narrow: Story = {
  args: { keyName: "Nightly".repeat(20) },
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};

export const TestMake: Story = {
  name: "(Test) Without a key, the notice leads to where one is made",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("link", { name: "Make a key" }));
    await expect(args.onNavigate).toHaveBeenCalledWith("/settings/api-keys");
  },
};

export const TestForget: Story = {
  name: "(Test) The key can be left out",
  ...withKey,
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Leave it out" }));
    await expect(args.onForget).toHaveBeenCalledOnce();
  },
};
