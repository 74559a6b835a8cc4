import { LoaderCircle } from "lucide-react";

/** An activity indicator, hidden from screen readers: the text next to it describes the activity. */
export const Spinner = ({ size = 16 }: { size?: number }) => (
  <LoaderCircle
    aria-hidden
    size={size}
    className="shrink-0 animate-spin motion-reduce:animate-none"
  />
);
