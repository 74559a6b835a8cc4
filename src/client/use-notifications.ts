import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type {
  PushChoice,
  PushSubscription as StoredSubscription,
  PushSupport,
} from "@/contract/push";
import { getErrorMessage } from "@/lib/error-message";
import { toProblem } from "./to-problem";
import { useTRPC, useTRPCClient } from "./trpc";
import { useProblem } from "./use-connection";

const BROWSER_KEY = ["push-browser"];

/** Loads and changes which browsers of the person are notified; this one is subscribed here. */
export const useNotifications = () => {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const query = useQuery(trpc.notifications.list.queryOptions({}));
  // What is allowed may be changed in the settings of the browser while the page is open.
  const browser = useQuery({ queryKey: BROWSER_KEY, queryFn: readBrowser, staleTime: 0 });
  const reload = async () => {
    await queryClient.invalidateQueries({ queryKey: BROWSER_KEY });
    await queryClient.invalidateQueries({ queryKey: trpc.notifications.list.queryKey({}) });
  };
  const turningOn = useMutation({
    mutationFn: async (publicKey: string): Promise<{ refusal?: string }> => {
      const result = await subscribeBrowser(publicKey);
      if (!("subscription" in result)) return result;
      await client.notifications.subscribe.mutate(toInput(result.subscription));
      return {};
    },
    onSettled: reload,
  });
  const changing = useMutation({
    mutationFn: async (choice: PushChoice): Promise<void> => {
      const subscription = await findSubscription();
      // The page shows what is left after that: the browser has dropped it.
      if (!subscription) return;
      await client.notifications.subscribe.mutate({ ...toInput(subscription), ...choice });
    },
    onSettled: reload,
  });
  const removing = useMutation({
    mutationFn: async ({ id, endpoint }: StoredSubscription): Promise<void> => {
      const own = await findSubscription();
      if (own?.endpoint === endpoint) await own.unsubscribe();
      await client.notifications.unsubscribe
        .mutate({ subscription_id: id })
        .catch((error: unknown) => {
          if (toProblem(error).code !== "not_found") throw error;
        });
    },
    onSettled: reload,
  });
  const testing = useMutation({
    mutationFn: ({ id }: StoredSubscription) =>
      client.notifications.test.mutate({ subscription_id: id }),
    onSettled: reload,
  });
  return {
    query,
    browser: browser.data,
    turnOn: turningOn.mutate,
    isTurningOn: turningOn.isPending,
    refusal: turningOn.data?.refusal,
    change: changing.mutate,
    isChanging: changing.isPending,
    remove: removing.mutate,
    removingId: removing.isPending ? removing.variables.id : undefined,
    test: testing.mutate,
    isTesting: testing.isPending,
    testResult: testing.data,
    problem: useProblem(turningOn.error ?? changing.error ?? removing.error ?? testing.error),
  };
};

type Browser = { support: PushSupport; endpoint: string | undefined };

const readBrowser = async (): Promise<Browser> => {
  const support = readSupport();
  const endpoint = support === "ready" ? (await findSubscription())?.endpoint : undefined;
  return { support, endpoint };
};

const readSupport = (): PushSupport => {
  if (!window.isSecureContext) return "insecure";
  const hasPush = "serviceWorker" in navigator && "PushManager" in window;
  // Safari of iPhones and iPads has it in installed apps only; iPads name themselves Macs, but are touched.
  const isTouched =
    /iPhone|iPad|Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1;
  if (!hasPush || !("Notification" in window)) return isTouched ? "needs-install" : "unsupported";
  return Notification.permission === "denied" ? "blocked" : "ready";
};

const findSubscription = async (): Promise<PushSubscription | undefined> => {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? undefined;
};

/** Asks the person, and subscribes this browser. @returns why it was refused, as a sentence; nothing if the person says no. */
const subscribeBrowser = async (
  publicKey: string,
): Promise<{ subscription: PushSubscription } | { refusal?: string }> => {
  if ((await Notification.requestPermission()) !== "granted") return {};
  try {
    await navigator.serviceWorker.register("/service-worker.js", { updateViaCache: "none" });
    const { pushManager } = await navigator.serviceWorker.ready;
    // One that the server does not have: of another account, or for older keys.
    await (await pushManager.getSubscription())?.unsubscribe();
    const options = { userVisibleOnly: true, applicationServerKey: publicKey };
    return { subscription: await pushManager.subscribe(options) };
  } catch (error) {
    return { refusal: `The browser says: ${getErrorMessage(error)}` };
  }
};

const toInput = (subscription: PushSubscription) => {
  const { endpoint, keys: { p256dh = "", auth = "" } = {} } = subscription.toJSON();
  return { endpoint: endpoint ?? "", keys: { p256dh, auth } };
};
