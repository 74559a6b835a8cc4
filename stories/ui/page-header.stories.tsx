import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { Button } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { doNothing } from "../do-nothing";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";

const meta = {
  component: PageHeader,
  args: {
    onOpenSidebar: fn(),
    waitingCount: 0,
    children: <h1 className="truncate text-sm font-semibold">Advisor</h1>,
  },
} satisfies Meta<typeof PageHeader>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Wide: {},
  "A wide screen has no button for the chat list": {
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("heading", { name: "Advisor" })).toBeVisible();
      await expect(canvas.queryByRole("button", { name: "Open chat list" })).toBeNull();
    },
  },
});

export const Narrow: Story = { globals: { viewport: { value: "mobile1" } } };

export const NarrowWaiting: Story = { ...Narrow, args: { waitingCount: 3 } };

export const TestNarrowWaiting: Story = {
  name: "(Test) The button counts the chats that wait for the person",
  ...NarrowWaiting,
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("button", { name: "Open chat list: 3 need you" })).toBeVisible();
    await expect(canvas.getByText("3", { exact: true })).toBeVisible();
  },
};

export const TestNarrow: Story = {
  name: "(Test) A narrow screen has a button that opens the chat list",
  ...Narrow,
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByRole("banner")).toHaveTextContent("Advisor");
    await userEvent.tab();
    await expect(canvas.getByRole("button", { name: "Open chat list" })).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await expect(args.onOpenSidebar).toHaveBeenCalledTimes(1);
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Show the title of the page, and at the end its one menu.",
        example: (
          <PageHeader onOpenSidebar={doNothing} waitingCount={0}>
            <h1 className="truncate text-sm font-semibold">Playground</h1>
          </PageHeader>
        ),
      },
    ],
    donts: [
      {
        text: "Do not put a row of buttons into it: on a phone no title would be left.",
        example: (
          <PageHeader onOpenSidebar={doNothing} waitingCount={0}>
            <span className="flex gap-1">
              <Button size="sm">Rename</Button>
              <Button size="sm">Pin</Button>
              <Button size="sm">Archive</Button>
            </span>
          </PageHeader>
        ),
      },
    ],
  }),
};
