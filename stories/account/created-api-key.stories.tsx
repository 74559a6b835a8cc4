import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, spyOn } from "storybook/test";
import { CreatedApiKey } from "@/components/account/created-api-key";
import { CREATED_KEY, KEYS } from "../settings/fixtures";

const meta = {
  component: CreatedApiKey,
  args: { apiKey: CREATED_KEY, onClose: fn(), onNavigate: fn() },
} satisfies Meta<typeof CreatedApiKey>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Created: Story = {};
export const Dark: Story = {
  render: (args) => (
    <div data-theme="dark" className="p-4">
      <CreatedApiKey {...args} />
    </div>
  ),
};
export const Narrow: Story = {
  args: { apiKey: { ...CREATED_KEY, name: KEYS.LONG.name } },
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvas, canvasElement }) => {
    await expect(canvas.getByText(CREATED_KEY.key)).toBeVisible();
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};

export const TestFocus: Story = {
  name: "(Test) The focus moves to the panel, which says that the key is shown once",
  play: async ({ canvas, userEvent }) => {
    const panel = canvas.getByRole("group", { name: "Your key “Nightly report” is ready" });
    await expect(panel).toHaveFocus();
    await expect(panel).toHaveAccessibleDescription(
      "Copy it now and keep it secret. It cannot be shown again.",
    );
    await userEvent.tab();
    await expect(canvas.getByRole("button", { name: "Copy key" })).toHaveFocus();
  },
};

export const TestCopy: Story = {
  name: "(Test) The key is shown in full and can be copied",
  play: async ({ canvas, userEvent }) => {
    const write = spyOn(navigator.clipboard, "writeText").mockResolvedValue();
    await expect(canvas.getByText(CREATED_KEY.key)).toBeVisible();
    await userEvent.click(canvas.getByRole("button", { name: "Copy key" }));
    await expect(write).toHaveBeenCalledWith(CREATED_KEY.key);
    await expect(await canvas.findByRole("button", { name: "Copied" })).toBeVisible();
    write.mockRestore();
  },
};

export const TestDone: Story = {
  name: "(Test) Done calls onClose",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Done" }));
    await expect(args.onClose).toHaveBeenCalledOnce();
  },
};
