import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import type { ReactNode } from "react";
import { expect, fn, screen } from "storybook/test";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { DetailList, DetailRow, toToggleItem } from "@/components/ui/detail-list";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";

const LONG = "x".repeat(120);

const onToggle = fn();
const onDelete = fn();
const deletion = { message: "You cannot undo this.", confirmLabel: "Delete recipe", onDelete };
const editing = { name: "Weather", onEdit: fn(), deletion };
const withMenu = { ...editing, items: [toToggleItem(true, onToggle)] };
const trying = {
  label: "Run once",
  name: "Run once: Weather",
  trial: undefined,
  onTry: fn(),
};
const show = (row: ReactNode): Story => ({ args: { children: row } });

const meta = {
  component: DetailList,
  args: {
    children: (
      <>
        <DetailRow title="Plain" facts={["Created 12 Mar 2026"]} />
        <DetailRow
          title="With everything"
          badges={<Badge text="Chat" />}
          facts={["Created 12 Mar 2026", "Never used", "Never expires"]}
          action={<Button size="sm">Revoke</Button>}
        />
        <DetailRow
          title={LONG}
          badges={<Badge text="Chat" />}
          facts={["Created 12 Mar 2026", "Never used", "Never expires"]}
          action={<Button size="sm">Revoke</Button>}
        />
      </>
    ),
  },
} satisfies Meta<typeof DetailList>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Many: {},
  "With a menu": show(<DetailRow title="Weather" facts={[]} trying={trying} editing={withMenu} />),
  "An identifier that is tried out": show(
    <DetailRow title="look_up_order" isCode facts={[]} trying={{ ...trying, trial: {} }} />,
  ),
  "With a result": show(
    <DetailRow title="Weather" facts={["Of a city"]} trying={trying} editing={editing}>
      <Alert tone="success" title="Weather answers." />
    </DetailRow>,
  ),
  "Saving: a row cannot be changed": {
    ...show(<DetailRow title="Weather" facts={[]} editing={{ ...editing, isBusy: true }} />),
    play: async ({ canvas }) => {
      for (const button of canvas.getAllByRole("button")) await expect(button).toBeDisabled();
    },
  },
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

export const TestMenu: Story = {
  ...show(<DetailRow title="Weather" facts={[]} editing={withMenu} />),
  name: "(Test) The menu switches it off, and asks before it deletes",
  play: async ({ canvas, userEvent }) => {
    const menu = () => canvas.getByRole("button", { name: "More for Weather" });
    await userEvent.click(menu());
    await userEvent.click(await screen.findByRole("menuitem", { name: "Switch off" }));
    await expect(onToggle).toHaveBeenCalledOnce();
    await userEvent.click(menu());
    await userEvent.click(await screen.findByRole("menuitem", { name: "Delete" }));
    await screen.findByRole("alertdialog", { name: "Delete “Weather”?" });
    await expect(onDelete).not.toHaveBeenCalled();
    await userEvent.click(screen.getByRole("button", { name: "Delete recipe" }));
    await expect(onDelete).toHaveBeenCalledOnce();
  },
};

export const TestButton: Story = {
  ...show(<DetailRow title="Weather" facts={[]} editing={editing} />),
  name: "(Test) Without a menu, a button asks before it deletes",
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Delete Weather" }));
    await expect(onDelete).not.toHaveBeenCalled();
    await userEvent.click(await screen.findByRole("button", { name: "Delete recipe" }));
    await expect(onDelete).toHaveBeenCalledOnce();
  },
};

export const TestNotDeletable: Story = {
  ...show(
    <DetailRow
      title="Weather"
      facts={[]}
      editing={{ ...withMenu, deletion: { ...deletion, isDisabled: true } }}
    />,
  ),
  name: "(Test) What cannot be deleted says so in its menu",
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "More for Weather" }));
    const item = await screen.findByRole("menuitem", { name: "Delete" });
    await expect(item).toHaveAttribute("aria-disabled", "true");
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Show a few facts as short phrases, and each action at the same end of all rows.",
        example: (
          <DetailList>
            <DetailRow title="Nightly report" facts={["Created 12 Mar 2026", "Never used"]} />
          </DetailList>
        ),
      },
    ],
    donts: [
      {
        text: "Do not explain a row in sentences: the page says once what its rows are.",
        example: (
          <DetailList>
            <DetailRow
              title="Nightly report"
              facts={["This is an API key that was created on 12 Mar 2026 and can be revoked."]}
            />
          </DetailList>
        ),
      },
    ],
  }),
};
