import { useRouter } from "next/navigation";
import { useCallback, useSyncExternalStore } from "react";
import { createNavigator } from "./navigator";
import { isServerReachable, waitToRetry } from "./reach-server";

const navigator = createNavigator({ look: isServerReachable, delay: waitToRetry });

// Back and Forward replace a navigation that still waits.
if (typeof window !== "undefined") window.addEventListener("popstate", navigator.cancel);

/** Returns the function by which all parts of the page open another one. */
export const useNavigate = (): ((href: string) => void) => {
  const router = useRouter();
  return useCallback(
    (href) => {
      navigator.open(() => router.push(href)).catch(reportError);
    },
    [router],
  );
};

/** Loads the page anew; for a page that cannot recover by itself. */
export const reloadPage = (): void => {
  navigator.open(() => window.location.reload()).catch(reportError);
};

/** Whether the page that the person has chosen waits for the server. */
export const useIsPageWaiting = (): boolean =>
  useSyncExternalStore(navigator.subscribe, navigator.isWaiting, () => false);
