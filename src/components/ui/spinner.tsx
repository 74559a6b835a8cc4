import { LoaderCircle } from "lucide-react";

/** Says by movement that something is under way; the words beside it say what. */
export const Spinner = ({ size = 16 }: { size?: number }) => (
  <LoaderCircle
    aria-hidden
    size={size}
    className="shrink-0 animate-spin motion-reduce:animate-none"
  />
);
