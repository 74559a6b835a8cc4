import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { SettingsNav } from "@/components/settings/settings-nav";

const PERSONAL = [
  { href: "/settings/api-keys", label: "API keys" },
  { href: "/settings/account", label: "Account" },
];

const meta = {
  component: SettingsNav,
  args: {
    pages: [{ href: "/settings/advisor", label: "Advisor" }, ...PERSONAL],
    currentHref: "/settings/api-keys",
    onNavigate: fn(),
  },
} satisfies Meta<typeof SettingsNav>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Owner: Story = {};
export const Member: Story = { args: { pages: PERSONAL } };
export const Narrow: Story = { globals: { viewport: { value: "mobile1" } } };

export const TestCurrent: Story = {
  name: "(Test) The current page is marked",
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("navigation", { name: "Settings" })).toBeVisible();
    await expect(canvas.getAllByRole("link")).toHaveLength(3);
    await expect(canvas.getByRole("link", { current: "page" })).toHaveTextContent("API keys");
  },
};

export const TestKeyboard: Story = {
  name: "(Test) Tab reaches each link and Enter follows it",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.tab();
    await expect(canvas.getByRole("link", { name: "Advisor" })).toHaveFocus();
    await userEvent.tab();
    await userEvent.tab();
    await expect(canvas.getByRole("link", { name: "Account" })).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await expect(args.onNavigate).toHaveBeenCalledWith("/settings/account");
  },
};

export const TestNarrow: Story = {
  name: "(Test) On a phone the links do not widen the page",
  ...Narrow,
  play: async ({ canvas, canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
    for (const link of canvas.getAllByRole("link")) {
      await expect(link.getBoundingClientRect().right).toBeLessThanOrEqual(window.innerWidth);
    }
  },
};
