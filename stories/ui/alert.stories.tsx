import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { showRules } from "../show-rules";
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

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Say what happened in the title, and what to do next in the text.",
        example: (
          <Alert tone="danger" title="The key was not accepted">
            Make a new one with your provider, then save it here.
          </Alert>
        ),
      },
      {
        text: "Offer the next step as a button.",
        example: (
          <Alert
            tone="info"
            title="This chat is archived."
            action={<Button size="sm">Restore</Button>}
          />
        ),
      },
    ],
    donts: [
      {
        text: "Do not use red for what needs no one to act, and do not shout.",
        example: <Alert tone="danger" title="Note!! The list is empty!" />,
      },
      {
        text: "Do not leave a person with a code and no way on.",
        example: <Alert tone="danger" title="Error 503" />,
      },
    ],
  }),
};
