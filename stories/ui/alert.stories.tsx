import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";

const retry = fn();

const meta = {
  component: Alert,
  args: { tone: "info", title: "Demo model", children: "Answers are scripted." },
} satisfies Meta<typeof Alert>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Info: Story = {};
export const Success: Story = { args: { tone: "success", title: "Saved", children: undefined } };
export const Warning: Story = { args: { tone: "warning", title: "Almost full" } };
export const Danger: Story = {
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

export const TestAnnounced: Story = {
  name: "(Test) An alert is announced and its action can be clicked",
  args: { ...Danger.args, announce: "alert" },
  play: async ({ canvas, userEvent }) => {
    retry.mockClear();
    await expect(canvas.getByRole("alert")).toHaveTextContent("Service overloaded");
    await userEvent.click(canvas.getByRole("button", { name: "Retry" }));
    await expect(retry).toHaveBeenCalledTimes(1);
  },
};
