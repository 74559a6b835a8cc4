import { CopyableCode } from "@/components/ui/copyable-code";
import { NavLink } from "@/components/ui/nav-link";
import { MethodBadge } from "./method-badge";
import type { ReferenceGroup, ReferenceOperation } from "./reference";
import { SchemaLink } from "./schema-link";

type ListedGroup = Omit<ReferenceGroup, "operations"> & {
  operations: readonly Pick<ReferenceOperation, "id" | "method" | "path" | "summary">[];
};

type Navigation = { onNavigate: (href: string) => void };

type ReferenceOverviewProps = Navigation & {
  groups: readonly ListedGroup[];
  schemaNames: readonly string[];
  /** The address of the API, with its path. */
  baseUrl: string;
};

/** How requests are made, and a list of all of them. */
export const ReferenceOverview = (props: ReferenceOverviewProps) => {
  const { groups, schemaNames, baseUrl, onNavigate } = props;
  return (
    <div className="grid min-w-0 gap-10">
      <Introduction baseUrl={baseUrl} onNavigate={onNavigate} />
      {groups.map((group) => (
        <GroupList key={group.name} group={group} onNavigate={onNavigate} />
      ))}
      <section aria-labelledby="schemas" className="grid min-w-0 gap-2">
        <h2 id="schemas" className="text-base font-semibold">
          Schemas
        </h2>
        <ul className="flex flex-wrap gap-x-4 gap-y-1.5">
          {schemaNames.map((name) => (
            <li key={name} className="min-w-0">
              <SchemaLink name={name} onNavigate={onNavigate} />
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
};

const Introduction = ({ baseUrl, onNavigate }: Navigation & { baseUrl: string }) => (
  <section aria-labelledby="requests" className="grid min-w-0 gap-3">
    <h2 id="requests" className="text-base font-semibold">
      Requests
    </h2>
    <p>
      Programs can do over HTTP what you do on these pages. Bodies and answers are JSON; all paths
      are below this address:
    </p>
    <CopyableCode code={baseUrl} copyLabel="Copy address" />
    <p>
      Send an API key in the header{" "}
      <code translate="no" className="font-mono text-xs">
        Authorization: Bearer …
      </code>
      . A request that is refused gets a <SchemaLink name="Problem" onNavigate={onNavigate} />,
      whose{" "}
      <code translate="no" className="font-mono text-xs">
        detail
      </code>{" "}
      says what to do. Send an{" "}
      <code translate="no" className="font-mono text-xs">
        Idempotency-Key
      </code>{" "}
      with a POST, and repeating it changes nothing.
    </p>
    <p>
      The same as{" "}
      <a
        href="/api/v1/openapi.json"
        className="font-medium text-accent underline underline-offset-2"
      >
        an OpenAPI document
      </a>
      , from which clients can be generated.
    </p>
  </section>
);

const GroupList = ({ group, onNavigate }: Navigation & { group: ListedGroup }) => (
  <section aria-labelledby={`group-${group.name}`} className="grid min-w-0 gap-2">
    <h2 id={`group-${group.name}`} className="text-base font-semibold">
      {group.title}
    </h2>
    <p className="text-muted">{group.description}</p>
    <ul className="min-w-0 divide-y border-y">
      {group.operations.map(({ id, method, path, summary }) => (
        <li key={id}>
          <NavLink
            href={`/docs/${group.name}#${id}`}
            onNavigate={onNavigate}
            className="grid min-w-0 gap-x-3 gap-y-0.5 py-2 transition-colors hover:bg-hover md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] md:items-baseline md:px-2"
          >
            <span>{summary}</span>
            <span className="flex min-w-0 items-baseline gap-2">
              <MethodBadge method={method} />
              <span className="min-w-0 font-mono text-xs wrap-anywhere text-muted">{path}</span>
            </span>
          </NavLink>
        </li>
      ))}
    </ul>
  </section>
);
