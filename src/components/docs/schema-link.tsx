import { NavLink } from "@/components/ui/nav-link";

type SchemaLinkProps = { name: string; onNavigate: (href: string) => void };

/** Leads to the page of a named schema. */
export const SchemaLink = ({ name, onNavigate }: SchemaLinkProps) => (
  <NavLink
    href={`/docs/schemas/${name}`}
    onNavigate={onNavigate}
    className="font-mono text-xs wrap-anywhere text-accent underline underline-offset-2"
  >
    {name}
  </NavLink>
);
