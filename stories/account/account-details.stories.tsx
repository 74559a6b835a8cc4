import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { AccountDetails } from "@/components/account/account-details";

const meta = {
  component: AccountDetails,
  args: { name: "Ada Lovelace", email: "ada@example.com" },
} satisfies Meta<typeof AccountDetails>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Default: Story = {
  play: async ({ canvas }) => {
    await expect(canvas.getByText("Ada Lovelace")).toBeVisible();
    await expect(canvas.getByText("ada@example.com")).toBeVisible();
    await expect(canvas.queryByRole("textbox")).toBeNull();
  },
};

export const Long: Story = {
  args: { name: "Augusta Ada King ".repeat(6), email: `${"ada".repeat(30)}@example.com` },
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};
