import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { NavLink } from "@/components/sidebar/nav-link";

const meta = {
  component: NavLink,
  args: { href: "/chats/7", onNavigate: fn(), look: "underline", children: "Sail inventory" },
} satisfies Meta<typeof NavLink>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Elsewhere: Story = {};
export const Current: Story = { args: { current: true } };

export const TestPress: Story = {
  name: "(Test) A plain press stays in the page, the address is real",
  play: async ({ args, canvas, userEvent }) => {
    const link = canvas.getByRole("link", { name: "Sail inventory" });
    await expect(link).toHaveAttribute("href", "/chats/7");
    await userEvent.click(link);
    await expect(args.onNavigate).toHaveBeenCalledWith("/chats/7");
  },
};

export const TestKeyboard: Story = {
  name: "(Test) Tab reaches it, Enter follows it",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.tab();
    await expect(canvas.getByRole("link")).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await expect(args.onNavigate).toHaveBeenCalledWith("/chats/7");
  },
};

export const TestNewTab: Story = {
  name: "(Test) With a key that asks for a new tab or a file, the browser has the press",
  play: async ({ args, canvas, userEvent }) => {
    const leftToBrowser: boolean[] = [];
    const stayHere = (event: MouseEvent) => {
      leftToBrowser.push(!event.defaultPrevented);
      event.preventDefault();
    };
    document.addEventListener("click", stayHere);
    for (const key of ["Control", "Meta", "Shift", "Alt"]) {
      await userEvent.keyboard(`{${key}>}`);
      await userEvent.click(canvas.getByRole("link"));
      await userEvent.keyboard(`{/${key}}`);
    }
    document.removeEventListener("click", stayHere);
    await expect(leftToBrowser).toEqual([true, true, true, true]);
    await expect(args.onNavigate).not.toHaveBeenCalled();
  },
};

export const TestCurrent: Story = {
  name: "(Test) The page one is on is said to be it",
  ...Current,
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("link", { current: "page" })).toHaveTextContent("Sail inventory");
  },
};

export const TestElsewhere: Story = {
  name: "(Test) Any other page is not said to be it",
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("link", { current: false })).toBeVisible();
  },
};
