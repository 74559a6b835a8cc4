import { expect, it } from "vitest";
import type { ChatNode } from "./chat-tree";
import { groupByDate } from "./date-groups";

/** Local times, as people read them. */
const NOW = new Date(2026, 2, 12, 0, 30).getTime();
const node = (date: Date): ChatNode =>
  ({ chat: { updated_at: date.toISOString() }, children: [] }) as unknown as ChatNode;

it.each([
  [new Date(2026, 2, 12, 0, 5), "Today"],
  [new Date(2026, 2, 12, 0, 45), "Today"],
  [new Date(2026, 2, 11, 23, 55), "Yesterday"],
  [new Date(2026, 2, 11, 0, 0), "Yesterday"],
  [new Date(2026, 2, 10, 23, 59), "Previous 7 days"],
  [new Date(2026, 2, 5, 0, 0), "Previous 7 days"],
  [new Date(2026, 2, 4, 23, 59), "Previous 30 days"],
  [new Date(2026, 1, 10, 0, 0), "Previous 30 days"],
  [new Date(2026, 1, 9, 23, 59), "February"],
  [new Date(2025, 1, 9), "February 2025"],
])("groups %s as %s", (date, heading) => {
  expect(groupByDate([node(date)], NOW).map((group) => group.heading)).toEqual([heading]);
});

it("keeps the order of the list, and leaves out empty groups", () => {
  const dates = [new Date(2026, 2, 12), new Date(2026, 1, 2), new Date(2026, 1, 1)];
  const groups = groupByDate(dates.map(node), NOW);
  expect(groups.map(({ heading, nodes }) => [heading, nodes.length])).toEqual([
    ["Today", 1],
    ["February", 2],
  ]);
});
