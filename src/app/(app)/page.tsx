import { headers } from "next/headers";
import type { Model } from "@/contract/model";
import { appApi } from "@/server/api/process-api";
import { NewChatScreen } from "@/client/screens/chat/new-chat-screen";

/** Reads the models for the HTML, which says whether the demo model answers: later, the line would move the page. */
const loadModels = async (): Promise<readonly Model[] | undefined> => {
  const requestHeaders = await headers();
  // A page that is open navigates by `fetch`, and has the models already.
  if (requestHeaders.get("sec-fetch-dest") === "empty") return undefined;
  return (await appApi().pages.listModels(requestHeaders, {}))?.data;
};

const NewChatPage = async () => <NewChatScreen loadedModels={await loadModels()} />;
export default NewChatPage;
