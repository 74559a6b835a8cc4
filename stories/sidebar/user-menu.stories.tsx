import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen, waitFor } from "storybook/test";
import { UserMenu } from "@/components/sidebar/user-menu";
import { showStates } from "../show-states";

const meta = {
  component: UserMenu,
  args: {
    user: { name: "Ada Lovelace", email: "ada@example.com" },
    theme: "system",
    onThemeChange: fn(),
    onNavigate: fn(),
    onOpenPalette: fn(),
    onShowShortcuts: fn(),
    onSignOut: fn(),
  },
  render: (args) => (
    <div className="flex h-96 w-72 max-w-full flex-col justify-end">
      <UserMenu {...args} />
    </div>
  ),
} satisfies Meta<typeof UserMenu>;
export default meta;
type Story = StoryObj<typeof meta>;

type Play = NonNullable<Story["play"]>;
const openMenu: Play = async ({ canvas, userEvent }) => {
  await userEvent.click(canvas.getByRole("button", { name: /^Account: / }));
  await expect(await screen.findByRole("menu")).toBeVisible();
};
const items = () => screen.getAllByRole("menuitem").map((item) => item.textContent);

export const Open: Story = { play: openMenu };
export const OpenLight: Story = { args: { theme: "light" }, play: openMenu };
export const OpenDark: Story = { args: { theme: "dark" }, play: openMenu };

const longName: Story = {
  args: { user: { name: "Augusta Ada King ".repeat(6), email: `${"ada".repeat(30)}@example.com` } },
};

export const States: Story = showStates(meta, {
  Closed: {},
  "Without a name the email address is shown": {
    args: { user: { name: "", email: "ada@example.com" } },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("button", { name: "Account: ada@example.com" })).toBeVisible();
    },
  },
  "Long name": longName,
  "The initial is a whole character, also for an emoji": {
    args: { user: { name: "🦊 Fox", email: "fox@example.com" } },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("🦊")).toBeVisible();
    },
  },
});

export const TestItems: Story = {
  name: "(Test) The menu shows the email address and all items",
  play: async (context) => {
    await openMenu(context);
    await expect(screen.getByText("ada@example.com")).toBeVisible();
    await expect(items()).toEqual([
      "System theme (current)",
      "Light theme",
      "Dark theme",
      "Find anythingCtrl+K",
      "Keyboard shortcuts?",
      "Settings",
      "Playground",
      "API reference",
      "Sign out",
    ]);
  },
};

export const TestSignOut: Story = {
  name: "(Test) Sign out calls onSignOut",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Account: Ada Lovelace" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Sign out" }));
    await expect(args.onSignOut).toHaveBeenCalledTimes(1);
    await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
  },
};

export const TestTheme: Story = {
  name: "(Test) The menu marks the current theme and changes it",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Account: Ada Lovelace" }));
    await screen.findByRole("menuitem", { name: "System theme (current)" });
    await userEvent.click(screen.getByRole("menuitem", { name: "Dark theme" }));
    await expect(args.onThemeChange).toHaveBeenCalledWith("dark");
  },
};

export const TestCurrentTheme: Story = {
  name: "(Test) Only the current theme is marked",
  args: { theme: "dark" },
  play: async (context) => {
    await openMenu(context);
    const current = items().filter((label) => label.includes("(current)"));
    await expect(current).toEqual(["Dark theme (current)"]);
  },
};

const PAGES = { Settings: "/settings", Playground: "/playground", "API reference": "/docs" };

export const TestPages: Story = {
  name: "(Test) Settings, the playground and the API reference are pages",
  play: async ({ args, canvas, userEvent }) => {
    for (const [name, href] of Object.entries(PAGES)) {
      await userEvent.click(canvas.getByRole("button", { name: /Account/ }));
      await userEvent.click(await screen.findByRole("menuitem", { name }));
      await waitFor(() => expect(args.onNavigate).toHaveBeenCalledWith(href));
      await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
    }
  },
};

export const TestShortcuts: Story = {
  name: "(Test) The palette and the shortcuts call their handlers",
  play: async (context) => {
    await openMenu(context);
    await context.userEvent.click(screen.getByRole("menuitem", { name: "Find anything" }));
    await expect(context.args.onOpenPalette).toHaveBeenCalledOnce();
    await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
    await openMenu(context);
    await context.userEvent.click(screen.getByRole("menuitem", { name: "Keyboard shortcuts" }));
    await expect(context.args.onShowShortcuts).toHaveBeenCalledOnce();
  },
};

export const TestKeyboard: Story = {
  name: "(Test) Arrow keys and Enter select an item and Escape returns the focus",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.tab();
    const findButton = () => canvas.getByRole("button", { name: "Account: Ada Lovelace" });
    await expect(findButton()).toHaveFocus();
    await userEvent.keyboard("{ArrowUp}");
    await waitFor(() => expect(screen.getByRole("menuitem", { name: "Sign out" })).toHaveFocus());
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(findButton()).toHaveFocus());
    await expect(args.onSignOut).not.toHaveBeenCalled();
    await userEvent.keyboard("{ArrowUp}");
    await waitFor(() => expect(screen.getByRole("menuitem", { name: "Sign out" })).toHaveFocus());
    await userEvent.keyboard("{Enter}");
    await expect(args.onSignOut).toHaveBeenCalledOnce();
  },
};

export const TestLongName: Story = {
  name: "(Test) A long name and email address do not overflow the sidebar and menu",
  ...longName,
  globals: { viewport: { value: "mobile1" } },
  play: async (context) => {
    const button = context.canvas.getByRole("button");
    await expect(button.scrollWidth).toBeLessThanOrEqual(button.clientWidth);
    await openMenu(context);
    const menu = screen.getByRole("menu");
    await expect(menu.scrollWidth).toBeLessThanOrEqual(menu.clientWidth);
    await expect(menu.getBoundingClientRect().right).toBeLessThanOrEqual(window.innerWidth);
  },
};
