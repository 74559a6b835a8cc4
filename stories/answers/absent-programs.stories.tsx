import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { AbsentPrograms } from "@/components/answers/absent-programs";
import { showStates } from "../show-states";

const meta = {
  component: AbsentPrograms,
  args: { absent: { crm: "2026-11-21T12:03:00Z" } },
  decorators: [(Story) => <div className="rounded-xl border bg-raised">{Story()}</div>],
} satisfies Meta<typeof AbsentPrograms>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  One: {},
  "Empty: no program has been connected for a day": { args: { absent: { crm: null } } },
  Several: { args: { absent: { crm: "2026-11-21T12:03:00Z", ops: null } } },
});
