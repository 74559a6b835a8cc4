import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { ReferenceOverview } from "@/components/docs/reference-overview";
import { GROUPS } from "./fixtures";

const meta = {
  component: ReferenceOverview,
  args: {
    groups: GROUPS,
    schemaNames: ["Problem", "Chat", "Message"],
    baseUrl: "http://127.0.0.1:3000/api/v1",
    onNavigate: fn(),
  },
} satisfies Meta<typeof ReferenceOverview>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Default: Story = {};
export const Narrow: Story = {
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};

export const TestLinks: Story = {
  name: "(Test) An operation and a schema lead to their pages",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("link", { name: /^Start a chat/ }));
    await expect(args.onNavigate).toHaveBeenLastCalledWith("/docs/chats#chats.create");
    await userEvent.click(canvas.getByRole("link", { name: "Message" }));
    await expect(args.onNavigate).toHaveBeenLastCalledWith("/docs/schemas/Message");
  },
};
