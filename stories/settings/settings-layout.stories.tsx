import type { Decorator, Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { SettingsLayout } from "@/components/settings/settings-layout";
import { listSettingsPages } from "@/components/settings/settings-pages";
import { PageSection } from "@/components/ui/page-section";
import { showStates } from "../show-states";

const meta = {
  component: SettingsLayout,
  args: {
    groups: listSettingsPages(true),
    currentHref: "/settings/advisor",
    onNavigate: fn(),
    onOpenSidebar: fn(),
    waitingCount: 0,
    children: (
      <PageSection isPage title="Advisor" lead="A second model.">
        Content
      </PageSection>
    ),
  },
  decorators: [
    (Story) => (
      <div className="flex h-[36rem] flex-col border">
        <Story />
      </div>
    ),
  ],
} satisfies Meta<typeof SettingsLayout>;
export default meta;
type Story = StoryObj<typeof meta>;

/** Wide enough for the list beside the page, which the column of a story is not. */
const withWidth: Decorator = (Story) => (
  <div className="w-3xl">
    <Story />
  </div>
);

export const States: Story = {
  ...showStates(meta, {
    "The pages are in three groups": {
      play: async ({ canvas }) => {
        for (const name of ["Models and advisor", "Tools", "You"]) {
          await expect(canvas.getByRole("list", { name })).toBeVisible();
        }
        await expect(canvas.getByRole("link", { current: "page" })).toHaveTextContent("Advisor");
        await expect(canvas.queryByRole("button", { name: "Settings" })).toBeNull();
      },
    },
    "A member has no pages for administrators": {
      args: { groups: listSettingsPages(false), currentHref: "/settings/tools" },
      play: async ({ canvas }) => {
        const links = canvas.getAllByRole("link").map(({ textContent }) => textContent);
        await expect(links).not.toContain("Models");
        await expect(links).toContain("API keys");
        await expect(canvas.queryByText("Models and advisor")).toBeNull();
      },
    },
  }),
  decorators: [withWidth],
};

export const TestKeyboard: Story = {
  name: "(Test) Tab reaches each link and Enter follows it",
  args: { groups: listSettingsPages(false), currentHref: "/settings/tools" },
  decorators: [withWidth],
  play: async ({ args, canvas, userEvent }) => {
    canvas.getByRole("link", { name: "Tools" }).focus();
    await expect(canvas.getByRole("link", { name: "Tools" })).toHaveFocus();
    await userEvent.tab();
    await expect(canvas.getByRole("link", { name: "API keys" })).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await expect(args.onNavigate).toHaveBeenCalledWith("/settings/api-keys");
  },
};

export const Narrow: Story = {
  globals: { viewport: { value: "mobile1" } },
};

export const TestNarrow: Story = {
  name: "(Test) On a phone a button shows the list, and has the focus again when a page is chosen",
  globals: { viewport: { value: "mobile1" } },
  play: async ({ args, canvas, canvasElement, userEvent }) => {
    await expect(canvas.queryByRole("navigation", { name: "Settings" })).toBeNull();
    const button = canvas.getByRole("button", { name: "Settings" });
    await expect(button).toHaveAttribute("aria-expanded", "false");
    await userEvent.click(button);
    await expect(button).toHaveAttribute("aria-expanded", "true");
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
    await userEvent.click(canvas.getByRole("link", { name: "Account" }));
    await expect(args.onNavigate).toHaveBeenCalledWith("/settings/account");
    await expect(button).toHaveFocus();
    await expect(canvas.queryByRole("navigation", { name: "Settings" })).toBeNull();
  },
};
