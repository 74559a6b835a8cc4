import { ExternalLink } from "lucide-react";
import { findHiddenTarget, toTarget } from "@/components/ui/find-hidden-target";
import { toSafeUrl } from "@/components/ui/safe-url";

type WebLinkProps = { url: string; title: string | undefined };

/** A web page by its title and site, as a link if its URL is safe. */
export const WebLink = ({ url, title }: WebLinkProps) => {
  const href = toSafeUrl(url);
  // By itself, so that a title cannot turn its letters round.
  const site = <bdi className="text-xs break-all text-muted">{toTarget(url)}</bdi>;
  if (href === undefined) {
    return (
      <span className="wrap-anywhere">
        {title} {site}
      </span>
    );
  }
  return (
    <span className="wrap-anywhere">
      <a
        href={href}
        data-print-url={title === undefined ? undefined : url}
        target="_blank"
        rel="noopener noreferrer"
        className="text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-accent"
      >
        {title ?? url}
        <ExternalLink aria-hidden size={12} className="ml-1 inline" />
      </a>{" "}
      {(title !== undefined || findHiddenTarget(url, url) !== undefined) && site}
    </span>
  );
};
