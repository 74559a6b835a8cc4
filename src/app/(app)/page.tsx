import { headers } from "next/headers";
import type { Model } from "@/contract/model";
import { appApi } from "@/server/api/app-api";
import { listModelsOperation } from "@/server/api/operations/models";
import { NewChatScreen } from "./new-chat-screen";

/** Reads the models for the HTML, which says whether the demo model answers: later, the line would move the page. */
const loadModels = async (): Promise<readonly Model[] | undefined> => {
  const requestHeaders = await headers();
  // A page that is open navigates by `fetch`, and has the models already.
  if (requestHeaders.get("sec-fetch-dest") === "empty") return undefined;
  return (await appApi().readForPage(requestHeaders, listModelsOperation, {}))?.data;
};

const NewChatPage = async () => <NewChatScreen loadedModels={await loadModels()} />;
export default NewChatPage;
