import { useRouter } from "next/navigation";
import { useCallback, useSyncExternalStore } from "react";
import { createNavigator } from "./navigator";

const look = async (signal: AbortSignal): Promise<boolean> => {
  try {
    return (await fetch("/healthz", { cache: "no-store", signal })).ok;
  } catch {
    return false;
  }
};

const delay = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });

const navigator = createNavigator({ look, delay });

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
