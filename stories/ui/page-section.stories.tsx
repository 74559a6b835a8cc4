import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { Button } from "@/components/ui/button";
import { PageSection } from "@/components/ui/page-section";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";

const meta = {
  component: PageSection,
  args: { title: "Password", children: <p>Content</p> },
} satisfies Meta<typeof PageSection>;
export default meta;
type Story = StoryObj<typeof meta>;

const withLead: Story = { args: { lead: "You can change it here." } };

export const States: Story = showStates(meta, {
  Plain: {},
  "With lead": withLead,
  "A whole page has the heading of the page": {
    args: { ...withLead.args, isPage: true },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("heading", { level: 1, name: "Password" })).toBeVisible();
    },
  },
  "The heading names the section": {
    args: { ...withLead.args, action: <Button>New key</Button> },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("region", { name: "Password" })).toHaveTextContent("Content");
      await expect(canvas.getByRole("heading", { level: 2, name: "Password" })).toBeVisible();
      await expect(canvas.getByRole("button", { name: "New key" })).toBeVisible();
    },
  },
});

/** Long texts wrap on a phone. */
export const Narrow: Story = {
  args: { title: "x".repeat(80), lead: "y".repeat(300), action: <Button>New key</Button> },
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Say in the lead what the section is for, in one or two sentences.",
        example: (
          <PageSection title="API keys" lead="With a key, your programs use Parley as you do.">
            <p>Nightly report</p>
          </PageSection>
        ),
      },
    ],
    donts: [
      {
        text: "Do not repeat the title in the lead.",
        example: (
          <PageSection title="API keys" lead="Here are your API keys.">
            <p>Nightly report</p>
          </PageSection>
        ),
      },
    ],
  }),
};
