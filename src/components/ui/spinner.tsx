/**
 * An activity indicator, hidden from screen readers: the text next to it describes the activity. It is the icon
 * `loader-circle`, drawn here, as the page for failures of the whole app would load the library of icons for it.
 */
export const Spinner = ({ size = 16 }: { size?: number }) => (
  <svg
    aria-hidden
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="2"
    strokeLinecap="round"
    className="shrink-0 animate-spin motion-reduce:animate-none"
  >
    <path d="M21 12a9 9 0 1 1-6.219-8.56" />
  </svg>
);
