import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, within } from "storybook/test";
import { Toolsets } from "@/components/settings/toolsets";
import type { Toolset } from "@/contract/toolset";
import { showStates } from "../show-states";
import { failed, NOW, ready, UNAVAILABLE } from "./fixtures";

const minutesAgo = (minutes: number): string => new Date(NOW - minutes * 60_000).toISOString();

const CRM: Toolset = {
  name: "crm",
  revision: 3,
  version: "1.4.2",
  description: "Customers and their orders",
  offered_to: "all",
  when_absent: "withhold",
  tools: [
    { name: "find_customer", description: "Finds a customer by name", approval: "never" },
    { name: "refund_order", description: "Refunds an order", approval: "always" },
  ],
  warnings: [],
  declared_by: "api_key:0198c0de-0000-7000-8000-000000000011",
  key_name: "CRM runner",
  runners: [
    { holder: "runner-7", version: "1.4.2", seen_at: minutesAgo(0), claimed: 1 },
    { holder: "runner-8", version: "1.4.1", seen_at: minutesAgo(0), claimed: 0 },
  ],
  last_seen_at: minutesAgo(0),
  open_calls: 2,
  oldest_open_at: minutesAgo(4),
  updated_at: minutesAgo(60),
};
const OPS: Toolset = {
  ...CRM,
  name: "ops",
  description: "Servers and their alarms",
  version: "7",
  offered_to: "chosen",
  when_absent: "offer",
  tools: [{ name: "restart_server", description: "Restarts a server", approval: "always" }],
  runners: [],
  last_seen_at: minutesAgo(12),
  open_calls: 1,
};
const IDLE: Toolset = {
  ...CRM,
  declared_by: "0198c0de-0000-7000-8000-000000000001",
  name: "billing",
  runners: [],
  last_seen_at: null,
  open_calls: 0,
  oldest_open_at: null,
};

const meta = {
  component: Toolsets,
  args: {
    toolsets: ready([CRM]),
    onReload: fn(),
    onRemove: fn(),
    removingName: undefined,
    isRemoved: false,
    problem: undefined,
    now: NOW,
  },
} satisfies Meta<typeof Toolsets>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Empty: { args: { toolsets: ready([]) } },
  One: {},
  Several: { args: { toolsets: ready([CRM, OPS, IDLE]) } },
  "Long texts": {
    args: {
      toolsets: ready([
        {
          ...CRM,
          name: "a-toolset-with-a-very-long-name",
          description: "Everything that is known of customers ".repeat(8),
          warnings: [
            'The tool "crm_find_customer" is offered without /input_schema/required, which has no valid value.',
          ],
          runners: [
            {
              holder: "runner-with-a-very-long-name-in-some-region-eu-central-1a-0123456789abcdef",
              version: "1.4.2",
              seen_at: minutesAgo(0),
              claimed: 12,
            },
          ],
        },
      ]),
    },
  },
  Loading: { args: { toolsets: { state: "loading" } } },
  "Load error": { args: { toolsets: failed } },
  Failed: { args: { problem: UNAVAILABLE } },
});

export const TestRemove: Story = {
  name: "(Test) A toolset is removed after a question",
  play: async ({ args, canvas, canvasElement, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Remove crm" }));
    await expect(args.onRemove).not.toHaveBeenCalled();
    const page = within(canvasElement.ownerDocument.body);
    await userEvent.click(await page.findByRole("button", { name: "Remove toolset" }));
    await expect(args.onRemove).toHaveBeenCalledWith("crm");
  },
};

export const TestTools: Story = {
  name: "(Test) The tools are listed when they are asked for",
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "2 tools" }));
    const list = within(canvas.getByRole("list", { name: "Tools of crm" }));
    await expect(list.getByText("refund_order")).toBeVisible();
    await expect(list.getByText("Asks before each call.")).toBeVisible();
  },
};
