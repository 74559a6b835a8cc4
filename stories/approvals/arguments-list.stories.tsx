import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { ArgumentsList } from "@/components/approvals/arguments-list";
import { showStates } from "../show-states";

const meta = {
  component: ArgumentsList,
  args: { args: { order_id: "A-10432", isUrgent: true, parcels: 0, note: "", coupon: null } },
} satisfies Meta<typeof ArgumentsList>;
export default meta;
type Story = StoryObj<typeof meta>;

const longList: Story = {
  args: { args: { things: Array.from({ length: 60 }, (_, index) => `Thing ${index}`) } },
};

export const States: Story = showStates(meta, {
  "Short values": {},
  "Text keeps its line breaks and has no quotes": {
    args: {
      args: { question: "May we refund it?\nThe customer is a regular.", order_id: "A-10432" },
    },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("group", { name: "Question" }).innerText).toBe(
        "May we refund it?\nThe customer is a regular.",
      );
    },
  },
  "Long text": { args: { args: { url: "https://example.com/".repeat(20) } } },
  "Nested values are formatted as JSON": {
    args: { args: { customer: { name: "Ada Lovelace", orders: [1, 2] }, tags: [] } },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("group", { name: "Customer" }).innerText).toBe(
        '{\n  "name": "Ada Lovelace",\n  "orders": [\n    1,\n    2\n  ]\n}',
      );
      await expect(canvas.getByText("[]")).toBeVisible();
    },
  },
  "Long list": longList,
  "Long name": {
    args: { args: { an_argument_whose_name_is_much_longer_than_any_of_its_values: 1 } },
  },
  Empty: { args: { args: {} } },
  "Not an object": { args: { args: ["Lisbon", "Porto"] } },
  "Invalid, JSON": { args: { args: '{"city": "Lis' } },
  "All values are shown with their names, also falsy ones": {
    play: async ({ canvas }) => {
      const names = canvas.getAllByRole("term").map(({ textContent }) => textContent);
      await expect(names).toEqual(["Order id", "Is urgent", "Parcels", "Note", "Coupon"]);
      const values = canvas.getAllByRole("definition").map(({ textContent }) => textContent);
      await expect(values).toEqual(["A-10432", "true", "0", "empty text", "null"]);
      await expect(canvas.getByTitle("order_id")).toBeVisible();
    },
  },
  "Long names and values wrap": {
    args: { args: { ["x".repeat(200)]: "y".repeat(79), long: "z".repeat(200) } },
    play: async ({ canvasElement }) => {
      await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
    },
  },
});

export const TestLong: Story = {
  name: "(Test) A long value scrolls and can be focused",
  ...longList,
  play: async ({ canvas, userEvent }) => {
    const box = canvas.getByRole("group", { name: "Things" });
    await expect(box.scrollHeight).toBeGreaterThan(box.clientHeight);
    await userEvent.tab();
    await expect(box).toHaveFocus();
  },
};

export const TestNone: Story = {
  name: "(Test) An empty object shows a note",
  render: () => (
    <>
      <ArgumentsList args={{}} />
      <ArgumentsList args={null} />
      <ArgumentsList args="" />
    </>
  ),
  play: async ({ canvas }) => {
    await expect(canvas.getAllByText("It gets no values.")).toHaveLength(3);
  },
};

export const TestNotAnObject: Story = {
  name: "(Test) Other values than objects are shown whole",
  render: () => (
    <>
      <ArgumentsList args={0} />
      <ArgumentsList args={false} />
      <ArgumentsList args={'{"city": "Lis'} />
      <ArgumentsList args={["Lisbon", "Porto"]} />
    </>
  ),
  play: async ({ canvas }) => {
    for (const text of ["0", "false", '{"city": "Lis']) {
      await expect(canvas.getByText(text)).toBeVisible();
    }
    await expect(canvas.getByRole("group", { name: "Arguments" })).toHaveTextContent(
      '[ "Lisbon", "Porto" ]',
    );
  },
};
