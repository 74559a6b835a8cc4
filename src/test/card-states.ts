import { ToolCallState } from "@/contract/part";

/** All states of a card. Not in the file of the type: pages that only have messages do without the schema library. */
export const CARD_STATES = ["streaming", "claimed", ...ToolCallState.options] as const;
