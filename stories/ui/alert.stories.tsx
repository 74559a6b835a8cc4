import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { showStates } from "../show-states";

const retry = fn();

const meta = {
  component: Alert,
  args: { tone: "info", title: "Demo model", children: "Answers are scripted." },
} satisfies Meta<typeof Alert>;
export default meta;
type Story = StoryObj<typeof meta>;

const danger: Story = {
  args: {
    tone: "danger",
    title: "Service overloaded",
    children: "The provider is overloaded. Try again in a minute.",
    action: (
      <Button size="sm" onClick={retry}>
        Retry
      </Button>
    ),
  },
};

export const States: Story = showStates(meta, {
  Info: {},
  Success: { args: { tone: "success", title: "Saved", children: undefined } },
  Warning: { args: { tone: "warning", title: "Almost full" } },
  Danger: danger,
});

export const TestAnnounced: Story = {
  name: "(Test) An alert is announced and its action can be clicked",
  args: { ...danger.args, announce: "alert" },
  play: async ({ canvas, userEvent }) => {
    retry.mockClear();
    await expect(canvas.getByRole("alert")).toHaveTextContent("Service overloaded");
    await userEvent.click(canvas.getByRole("button", { name: "Retry" }));
    await expect(retry).toHaveBeenCalledTimes(1);
  },
};
