import { headers } from "next/headers";
import { PAGE_SIZE } from "@/client/page-size";
import type { OpenedChat } from "@/contract/chat-outputs";
import { appApi } from "@/server/api/process-api";

/**
 * Longest JSON of a chat that the HTML of a page contains, in UTF-16 units. The HTML has the messages twice, as elements and
 * as data, so the browser loads a longer chat by itself.
 */
const MAX_CHAT_LENGTH = 200_000;

/**
 * Reads the chat of a page with its newest messages, so that the HTML shows them before any script has run.
 *
 * @returns undefined if the browser is to load it: the chat is long, or cannot be opened, which the page then explains.
 */
export const loadChat = async (chatId: string): Promise<OpenedChat | undefined> => {
  const requestHeaders = await headers();
  // A page that is open navigates by `fetch`, and may have the chat already.
  if (requestHeaders.get("sec-fetch-dest") === "empty") return undefined;
  const opened = await appApi().pages.openChat(requestHeaders, {
    chat_id: chatId,
    limit: PAGE_SIZE,
  });
  return opened && JSON.stringify(opened).length <= MAX_CHAT_LENGTH ? opened : undefined;
};
