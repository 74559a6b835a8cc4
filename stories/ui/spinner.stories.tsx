import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { Spinner } from "@/components/ui/spinner";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";

const meta = { component: Spinner } satisfies Meta<typeof Spinner>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Normal: {},
  Large: { args: { size: 24 } },
  "The animation repeats indefinitely": {
    play: async ({ canvasElement }) => {
      const [animation] = canvasElement.getAnimations({ subtree: true });
      await expect(animation?.effect?.getTiming().iterations).toBe(Infinity);
    },
  },
});

export const TestHiddenFromScreenReaders: Story = {
  name: "(Test) Screen readers get only the text next to the spinner",
  render: (args) => (
    <p role="status">
      <Spinner {...args} /> Loading chats…
    </p>
  ),
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("status")).toHaveTextContent(/^Loading chats…$/);
    await expect(canvas.queryByRole("img")).toBeNull();
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Say next to it what is going on.",
        example: (
          <p className="flex items-center gap-2 text-muted">
            <Spinner /> Loading chat…
          </p>
        ),
      },
    ],
    donts: [
      {
        text: "Do not show it alone: those who do not see it do not know of it.",
        example: <Spinner />,
      },
    ],
  }),
};
