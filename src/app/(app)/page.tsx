import { headers } from "next/headers";
import { appApi } from "@/server/api/process-api";
import { type LoadedHome, NewChatScreen } from "@/client/screens/chat/new-chat-screen";

/** Chats to find the few among that are no agents. */
const LIMIT = 20;

/** Reads what the page shows for its HTML: later, it would move what stands below it. */
const loadHome = async (): Promise<LoadedHome | undefined> => {
  const requestHeaders = await headers();
  // A page that is open navigates by `fetch`, and has the lists already.
  if (requestHeaders.get("sec-fetch-dest") === "empty") return undefined;
  const { listModels, listChats, listStartingTexts } = appApi().pages;
  const [models, chats, waitingChats, startingTexts] = await Promise.all([
    listModels(requestHeaders, {}),
    listChats(requestHeaders, { limit: LIMIT }),
    listChats(requestHeaders, { needs_you: true, limit: LIMIT }),
    listStartingTexts(requestHeaders, {}),
  ]);
  if (!models || !chats || !waitingChats || !startingTexts) return undefined;
  return {
    models: models.data,
    chats: chats.data,
    waitingChats: waitingChats.data,
    startingTexts: startingTexts.data,
  };
};

const NewChatPage = async () => <NewChatScreen loaded={await loadHome()} />;
export default NewChatPage;
