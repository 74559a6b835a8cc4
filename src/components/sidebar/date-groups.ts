import type { ChatNode } from "./chat-tree";

/** A named group of the chat list. */
export type ChatGroupData = { heading: string; nodes: ChatNode[] };

const DAY_NAMES: readonly { days: number; heading: string }[] = [
  { days: 0, heading: "Today" },
  { days: 1, heading: "Yesterday" },
  { days: 7, heading: "Previous 7 days" },
  { days: 30, heading: "Previous 30 days" },
];

const MONTH = new Intl.DateTimeFormat("en", { month: "long" });
const MONTH_AND_YEAR = new Intl.DateTimeFormat("en", { month: "long", year: "numeric" });

/**
 * Groups chats by the day of their last change in the browser's time zone, in the order of the list.
 *
 * @param now in milliseconds.
 */
export const groupByDate = (nodes: readonly ChatNode[], now: number): ChatGroupData[] => {
  const groups = new Map<string, ChatNode[]>();
  for (const node of nodes) {
    const heading = toHeading(new Date(node.chat.updated_at), new Date(now));
    const group = groups.get(heading);
    if (group) group.push(node);
    else groups.set(heading, [node]);
  }
  return [...groups].map(([heading, grouped]) => ({ heading, nodes: grouped }));
};

const toHeading = (date: Date, now: Date): string => {
  for (const { days, heading } of DAY_NAMES) {
    // Days are not all 24 hours long, so the calendar counts them. A clock that is behind shows today.
    const since = new Date(now.getFullYear(), now.getMonth(), now.getDate() - days);
    if (date >= since) return heading;
  }
  return (date.getFullYear() === now.getFullYear() ? MONTH : MONTH_AND_YEAR).format(date);
};
