import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { Spinner } from "@/components/ui/spinner";

const meta = { component: Spinner } satisfies Meta<typeof Spinner>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Normal: Story = {};
export const Large: Story = { args: { size: 24 } };

export const TestMoves: Story = {
  name: "(Test) Turns without end",
  play: async ({ canvasElement }) => {
    const [turning] = canvasElement.getAnimations({ subtree: true });
    await expect(turning?.effect?.getTiming().iterations).toBe(Infinity);
  },
};

export const TestSilent: Story = {
  name: "(Test) The words beside it are all that is said",
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
