import { PageSection } from "@/components/ui/page-section";

type AccountDetailsProps = { name: string; email: string };

/** The name and the email address of the user. */
export const AccountDetails = ({ name, email }: AccountDetailsProps) => (
  <PageSection title="You">
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2">
      <dt className="text-muted">Name</dt>
      <dd className="min-w-0 wrap-anywhere">{name}</dd>
      <dt className="text-muted">Email</dt>
      <dd className="min-w-0 wrap-anywhere">{email}</dd>
    </dl>
  </PageSection>
);
