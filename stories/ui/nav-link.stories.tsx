import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { NavLink } from "@/components/ui/nav-link";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";

const meta = {
  component: NavLink,
  args: { href: "/chats/7", onNavigate: fn(), className: "underline", children: "Sail inventory" },
} satisfies Meta<typeof NavLink>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  "Not current": {},
  "Current: marked with aria-current": {
    args: { isCurrent: true },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("link", { current: "page" })).toHaveTextContent(
        "Sail inventory",
      );
    },
  },
  "Not current: not marked with aria-current": {
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("link", { current: false })).toBeVisible();
    },
  },
});

export const TestClick: Story = {
  name: "(Test) A plain click calls onNavigate with the link's address",
  play: async ({ args, canvas, userEvent }) => {
    const link = canvas.getByRole("link", { name: "Sail inventory" });
    await expect(link).toHaveAttribute("href", "/chats/7");
    await userEvent.click(link);
    await expect(args.onNavigate).toHaveBeenCalledWith("/chats/7");
  },
};

export const TestKeyboard: Story = {
  name: "(Test) Tab focuses the link and Enter follows it",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.tab();
    await expect(canvas.getByRole("link")).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await expect(args.onNavigate).toHaveBeenCalledWith("/chats/7");
  },
};

export const TestNewTab: Story = {
  name: "(Test) A click with a modifier key is handled by the browser",
  play: async ({ args, canvas, userEvent }) => {
    const handledByBrowser: boolean[] = [];
    const preventNavigation = (event: MouseEvent) => {
      handledByBrowser.push(!event.defaultPrevented);
      event.preventDefault();
    };
    document.addEventListener("click", preventNavigation);
    for (const key of ["Control", "Meta", "Shift", "Alt"]) {
      await userEvent.keyboard(`{${key}>}`);
      await userEvent.click(canvas.getByRole("link"));
      await userEvent.keyboard(`{/${key}}`);
    }
    document.removeEventListener("click", preventNavigation);
    await expect(handledByBrowser).toEqual([true, true, true, true]);
    await expect(args.onNavigate).not.toHaveBeenCalled();
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Use it for every way to another page, so that it opens in a new tab, too.",
        example: (
          <NavLink
            href="/settings/models"
            className="font-medium text-accent underline underline-offset-2"
          >
            Models
          </NavLink>
        ),
      },
    ],
    donts: [
      {
        text: "Do not name a link “here”: those who jump from link to link read only its name.",
        example: (
          <p>
            The models are{" "}
            <NavLink href="/settings/models" className="text-accent underline">
              here
            </NavLink>
            .
          </p>
        ),
      },
    ],
  }),
};
