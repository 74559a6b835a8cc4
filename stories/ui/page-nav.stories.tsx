import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { PageNav } from "@/components/ui/page-nav";
import { doNothing } from "../do-nothing";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";

const PERSONAL = [
  { href: "/settings/api-keys", label: "API keys" },
  { href: "/settings/account", label: "Account" },
];

const meta = {
  component: PageNav,
  args: {
    label: "Settings",
    pages: [{ href: "/settings/advisor", label: "Advisor" }, ...PERSONAL],
    currentHref: "/settings/api-keys",
    onNavigate: fn(),
  },
} satisfies Meta<typeof PageNav>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Owner: {},
  Member: { args: { pages: PERSONAL } },
  "The current page is marked": {
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("navigation", { name: "Settings" })).toBeVisible();
      await expect(canvas.getAllByRole("link")).toHaveLength(3);
      await expect(canvas.getByRole("link", { current: "page" })).toHaveTextContent("API keys");
    },
  },
});

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

/** On a phone the links do not widen the page. */
export const Narrow: Story = {
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvas, canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
    for (const link of canvas.getAllByRole("link")) {
      await expect(link.getBoundingClientRect().right).toBeLessThanOrEqual(window.innerWidth);
    }
  },
};

export const TestCurrentInView: Story = {
  name: "(Test) On a phone the current page is scrolled into view",
  args: {
    pages: Array.from({ length: 12 }, (_, index) => ({
      href: `/part-${index}`,
      label: `Part ${index}`,
    })),
    currentHref: "/part-11",
  },
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvas }) => {
    const { left, right } = canvas.getByRole("link", { current: "page" }).getBoundingClientRect();
    await expect(left).toBeGreaterThanOrEqual(0);
    // A position of scrolling is a whole number of pixels.
    await expect(Math.floor(right)).toBeLessThanOrEqual(window.innerWidth);
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Name the pages with one or two nouns.",
        example: (
          <PageNav
            label="Settings"
            pages={[
              { href: "/a", label: "Models" },
              { href: "/b", label: "Tools" },
            ]}
            currentHref="/a"
            onNavigate={doNothing}
          />
        ),
      },
    ],
    donts: [
      {
        text: "Do not mix pages and actions.",
        example: (
          <PageNav
            label="Settings"
            pages={[
              { href: "/a", label: "Models" },
              { href: "/b", label: "Sign out" },
            ]}
            currentHref="/a"
            onNavigate={doNothing}
          />
        ),
      },
    ],
  }),
};
