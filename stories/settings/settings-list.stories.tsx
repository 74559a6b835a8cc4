import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { SettingsList, SettingsRow } from "@/components/settings/settings-list";
import { showStates } from "../show-states";

const LONG = "x".repeat(120);

const meta = {
  component: SettingsList,
  args: {
    children: (
      <>
        <SettingsRow title="Plain" facts={["Created 12 Mar 2026"]} />
        <SettingsRow
          title="With everything"
          badges={<Badge text="Chat" />}
          facts={["Created 12 Mar 2026", "Never used", "Never expires"]}
          action={<Button size="sm">Revoke</Button>}
        />
        <SettingsRow
          title={LONG}
          badges={<Badge text="Chat" />}
          facts={["Created 12 Mar 2026", "Never used", "Never expires"]}
          action={<Button size="sm">Revoke</Button>}
        />
      </>
    ),
  },
} satisfies Meta<typeof SettingsList>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Rows: {},
  "Each row is an item of the list": {
    play: async ({ canvas }) => {
      const rows = canvas.getAllByRole("listitem");
      await expect(rows).toHaveLength(3);
      await expect(rows[1]).toHaveTextContent("With everything");
      await expect(rows[1]).toHaveTextContent("Never used");
    },
  },
});

/** A long title wraps on a phone. */
export const Narrow: Story = {
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvas, canvasElement }) => {
    await expect(canvas.getByText(LONG)).toBeVisible();
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};
