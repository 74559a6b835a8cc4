import { WifiOff } from "lucide-react";

type OfflineNoticeProps = {
  isOffline: boolean;
  /** Whether a page that the person has chosen waits for the server. */
  isPageWaiting: boolean;
  /** Whether something that the person has sent or changed waits for the server. */
  isCommandWaiting: boolean;
};

/**
 * Says that the page has no connection; the live region stays, so that its text is announced. It covers no links between
 * pages that belong together.
 */
export const OfflineNotice = (props: OfflineNoticeProps) => (
  <div
    role="status"
    className="pointer-events-none absolute inset-x-0 top-15 z-20 flex justify-center [main:has(>nav)>&]:top-27"
  >
    {Object.values(props).some(Boolean) && (
      <span className="flex items-center gap-1.5 rounded-full border bg-raised px-3 py-1 text-note text-muted shadow-popup">
        <WifiOff aria-hidden size={13} className="shrink-0 text-warning" />
        {toText(props)}
      </span>
    )}
  </div>
);

const toText = ({ isPageWaiting, isCommandWaiting }: OfflineNoticeProps): string => {
  if (isPageWaiting) return "Offline. The page opens when the server answers.";
  return isCommandWaiting
    ? "Offline. Your change is sent when the server answers."
    : "Offline. This page may be out of date.";
};
