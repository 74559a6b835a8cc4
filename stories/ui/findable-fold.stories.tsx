import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fireEvent, fn } from "storybook/test";
import { FindableFold } from "@/components/ui/findable-fold";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";

const meta = {
  component: FindableFold,
  args: { isFolded: true, onFound: fn(), children: <p>High water is at 08:52.</p> },
} satisfies Meta<typeof FindableFold>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Closed: {
    play: async ({ canvas }) => {
      await expect(canvas.getByText(/08:52/)).not.toBeVisible();
    },
  },
  Open: {
    args: { isFolded: false },
    play: async ({ canvas }) => {
      await expect(canvas.getByText(/08:52/)).toBeVisible();
    },
  },
});

export const TestFound: Story = {
  name: "(Test) The browser's search asks to unfold what it finds",
  play: async ({ args, canvas }) => {
    const fold = canvas.getByText(/08:52/).parentElement;
    await expect(fold).toHaveAttribute("hidden", "until-found");
    await fireEvent(fold ?? document, new Event("beforematch", { bubbles: true }));
    await expect(args.onFound).toHaveBeenCalledTimes(1);
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Fold long text of a person: the browser’s search still finds it, and opens it.",
        example: (
          <FindableFold isFolded={false}>
            <p>High water is at 08:52.</p>
          </FindableFold>
        ),
      },
    ],
    donts: [{ text: "Do not use it for what must not be read yet: its text is in the page." }],
  }),
};
