import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { Loaded } from "@/components/ui/loaded";
import { doNothing } from "../do-nothing";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";
import { failed, ready } from "../settings/fixtures";

const meta = {
  component: Loaded<string>,
  args: {
    loadable: ready("Three keys"),
    what: "API keys",
    onReload: fn(),
    children: (value, isRefreshing) => (
      <p>
        {value}
        {isRefreshing && " …"}
      </p>
    ),
  },
} satisfies Meta<typeof Loaded<string>>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Filled: {
    play: async ({ canvas }) => {
      await expect(canvas.getByText("Three keys")).toBeVisible();
    },
  },
  Refreshing: {
    args: { loadable: { ...ready("Three keys"), isRefreshing: true } },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("Three keys …")).toBeVisible();
    },
  },
  Loading: {
    args: { loadable: { state: "loading" } },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("status")).toHaveTextContent("Loading API keys…");
    },
  },
});

export const Failed: Story = {
  args: { loadable: failed },
  play: async ({ args, canvas, userEvent }) => {
    const alert = canvas.getByRole("alert");
    await expect(alert).toHaveTextContent("The API keys could not be loaded");
    await expect(alert).toHaveTextContent("The server cannot be reached.");
    await userEvent.click(canvas.getByRole("button", { name: "Try again" }));
    await expect(args.onReload).toHaveBeenCalledOnce();
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Say what is loaded, and keep the old value while it is loaded again.",
        example: (
          <Loaded loadable={{ state: "loading" }} what="API keys" onReload={doNothing}>
            {() => null}
          </Loaded>
        ),
      },
    ],
    donts: [
      {
        text: "Do not show an empty list while it is not known whether it is empty.",
        example: <p className="text-muted">You have no API keys.</p>,
      },
    ],
  }),
};
