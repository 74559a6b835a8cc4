import { WifiOff } from "lucide-react";

/** Says that the page has no connection; the live region stays, so that its text is announced. */
export const OfflineNotice = ({ isOffline }: { isOffline: boolean }) => (
  <div
    role="status"
    className="pointer-events-none absolute inset-x-0 top-15 z-20 flex justify-center"
  >
    {isOffline && (
      <span className="flex items-center gap-1.5 rounded-full border bg-raised px-3 py-1 text-xs text-muted shadow-popup">
        <WifiOff aria-hidden size={13} className="shrink-0 text-warning" />
        Offline. What you see may be old.
      </span>
    )}
  </div>
);
