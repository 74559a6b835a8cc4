import { Button } from "@/components/ui/button";
import { NavLink } from "@/components/ui/nav-link";

type KeyNoticeProps = {
  /** The name of the key in the examples; undefined while they have none. */
  keyName: string | undefined;
  onForget: () => void;
  onNavigate: (href: string) => void;
};

/** Says which key the examples contain, or how to get one. */
export const KeyNotice = ({ keyName, onForget, onNavigate }: KeyNoticeProps) =>
  keyName === undefined ? (
    <p className="rounded-lg border bg-surface px-3 py-3 text-muted">
      The commands read your key from{" "}
      <code translate="no" className="font-mono text-xs">
        $PARLEY_API_KEY
      </code>
      .{" "}
      <NavLink
        href="/settings/api-keys"
        onNavigate={onNavigate}
        className="font-medium text-accent underline underline-offset-2"
      >
        Make a key
      </NavLink>
      , come back, and they contain it.
    </p>
  ) : (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg border border-success/30 bg-success-soft px-3 py-3">
      <p className="min-w-0 flex-1 basis-64 wrap-anywhere">
        The commands contain your new key “{keyName}”, until you reload or close this page.
      </p>
      <Button size="sm" onClick={onForget}>
        Leave it out
      </Button>
    </div>
  );
