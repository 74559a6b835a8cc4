import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, waitFor } from "storybook/test";
import { LoadMore } from "@/components/ui/load-more";
import { doNothing } from "../do-nothing";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";

const meta = {
  component: LoadMore,
  args: { label: "Show more", isLoading: false, hasFailed: false, onLoad: fn() },
} satisfies Meta<typeof LoadMore>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  "Has more": {},
  Loading: { args: { isLoading: true } },
  "Load error": { args: { hasFailed: true } },
});

export const TestInView: Story = {
  name: "(Test) It loads when it comes into view",
  render: (args) => (
    <div role="region" aria-label="List" tabIndex={0} className="h-40 overflow-y-auto">
      <div className="h-96" />
      <LoadMore {...args} />
    </div>
  ),
  play: async ({ args, canvas }) => {
    await expect(args.onLoad).not.toHaveBeenCalled();
    const list = canvas.getByRole("region");
    list.scrollTop = list.scrollHeight;
    await waitFor(() => expect(args.onLoad).toHaveBeenCalledTimes(1));
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Load more when the end of the list comes into view, and keep the button for keyboards.",
        example: (
          <LoadMore
            label="Show more"
            isLoading={false}
            hasFailed={false}
            isPaused
            onLoad={doNothing}
          />
        ),
      },
    ],
    donts: [
      {
        text: "Do not say that there is more where the list has ended.",
        example: <p className="text-center text-sm text-muted">0 more</p>,
      },
    ],
  }),
};
