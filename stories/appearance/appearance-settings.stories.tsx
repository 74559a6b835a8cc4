import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { AppearanceSettings } from "@/components/appearance/appearance-settings";

const meta = {
  component: AppearanceSettings,
  args: {
    appearance: { theme: "system", density: "comfortable", sidebar: "shown" },
    onChange: fn(),
  },
} satisfies Meta<typeof AppearanceSettings>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Defaults: Story = {};
export const DarkAndCompact: Story = {
  args: { appearance: { theme: "dark", density: "compact", sidebar: "shown" } },
  decorators: [
    (Story) => (
      <div data-theme="dark" data-density="compact" className="p-4">
        <Story />
      </div>
    ),
  ],
};

export const TestChoose: Story = {
  name: "(Test) A choice is passed on alone",
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByRole("radio", { name: "System" })).toBeChecked();
    await userEvent.click(canvas.getByRole("radio", { name: "Dark" }));
    await expect(args.onChange).toHaveBeenLastCalledWith({ theme: "dark" });
    await userEvent.click(canvas.getByRole("radio", { name: "Compact" }));
    await expect(args.onChange).toHaveBeenLastCalledWith({ density: "compact" });
  },
};

/** On a phone the pictures are stacked. */
export const Narrow: Story = {
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvas, canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
    const [first, second] = canvas.getAllByRole("radio");
    await expect(second?.getBoundingClientRect().left).toBe(first?.getBoundingClientRect().left);
  },
};
