import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { CallerTools } from "@/components/settings/caller-tools";
import { showStates } from "../show-states";
import { ready, UNAVAILABLE } from "./fixtures";

const meta = {
  component: CallerTools,
  args: {
    config: ready({ allowed: true }),
    onReload: fn(),
    onSave: fn(),
    isSaving: false,
    problem: undefined,
  },
} satisfies Meta<typeof CallerTools>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  On: {},
  Off: { args: { config: ready({ allowed: false }) } },
  Saving: { args: { isSaving: true } },
  Failed: { args: { problem: UNAVAILABLE } },
});

export const TestTurnOff: Story = {
  name: "(Test) The switch turns the tools off",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("switch", { name: "Programs may declare tools" }));
    await expect(args.onSave).toHaveBeenCalledWith({ allowed: false });
  },
};
