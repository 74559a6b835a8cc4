"use client";
import { useChatNotifications } from "@/client/use-chat-notifications";
import { useWaitingBadge } from "@/client/use-waiting-badge";
import type { ChatSummary } from "@/contract/chat";

type WaitingSignsProps = {
  activeChatId: string | undefined;
  /** The chats that need the person. */
  waitingChats: readonly ChatSummary[];
  /** Whether the list is complete. */
  areLoaded: boolean;
};

/** Shows outside of the page which chats need the person: in the browser's tab and in its notifications. */
const WaitingSigns = ({ activeChatId, waitingChats, areLoaded }: WaitingSignsProps) => {
  useWaitingBadge(waitingChats.length);
  useChatNotifications(activeChatId, areLoaded ? waitingChats : undefined);
  return null;
};
export default WaitingSigns;
