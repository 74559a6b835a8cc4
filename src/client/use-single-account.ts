import { useEffect } from "react";
import { localStore } from "./local-store";

/** The user of the page that was loaded last. */
const ACCOUNT_KEY = "parley.account";

/**
 * Loads the page anew when another account has signed in in another tab: the session is the browser's, so that
 * this page would show chats of both.
 */
export const useSingleAccount = (userId: string): void => {
  // Syncs with the pages of other tabs.
  useEffect(() => {
    localStore.set(ACCOUNT_KEY, userId);
    return localStore.subscribe(ACCOUNT_KEY, () => {
      if (localStore.get(ACCOUNT_KEY) !== userId) window.location.reload();
    });
  }, [userId]);
};
