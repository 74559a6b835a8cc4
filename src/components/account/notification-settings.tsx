import type { ReactNode } from "react";
import { DetailList, DetailRow } from "@/components/ui/detail-list";
import { PageSection } from "@/components/ui/page-section";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { FailureAlert } from "@/components/ui/failure-alert";
import { type Loadable, Loaded } from "@/components/ui/loaded";
import { type DescribedOption, RadioGroup } from "@/components/ui/radio-group";
import { Spinner } from "@/components/ui/spinner";
import type { Problem } from "@/contract/problem";
import type {
  PushChoice,
  PushScope,
  PushSubscription,
  PushSubscriptionList,
  PushSupport,
  PushTest,
} from "@/contract/push";
import { describeUserAgent } from "@/lib/describe-user-agent";
import { formatDate } from "@/lib/format";

export type NotificationSettingsProps = {
  subscriptions: Loadable<PushSubscriptionList>;
  onReload: () => void;
  /** Undefined until it is known. */
  support: PushSupport | undefined;
  /** The address at which this browser is notified; undefined if it is not. */
  endpoint: string | undefined;
  /** The address at which the page was opened. */
  origin: string;
  onTurnOn: (publicKey: string) => void;
  isTurningOn: boolean;
  onChange: (choice: PushChoice) => void;
  isChanging: boolean;
  onRemove: (subscription: PushSubscription) => void;
  /** The one that is being removed. */
  removingId: string | undefined;
  onTest: (subscription: PushSubscription) => void;
  isTesting: boolean;
  testResult: PushTest | undefined;
  /** Why the browser did not turn them on, as a sentence. */
  refusal: string | undefined;
  /** Why the last change failed. */
  problem: Problem | undefined;
};

/** What the browsers of a person are notified of; each browser is turned on by itself. */
export const NotificationSettings = (props: NotificationSettingsProps) => {
  const { subscriptions, onReload, endpoint, problem, refusal } = props;
  return (
    <PageSection
      isPage
      title="Notifications"
      lead="Learn that a chat needs you or that an answer is done, also while Parley is closed. A tap opens the chat."
    >
      <FailureAlert title="Notifications are not changed" detail={problem?.detail ?? refusal} />
      <Loaded loadable={subscriptions} what="notifications" onReload={onReload}>
        {({ public_key: publicKey, data }) => {
          const own = data.find((one) => one.endpoint === endpoint);
          const others = data.filter((one) => one !== own);
          return (
            <>
              <PageSection title="This browser">
                {own ? (
                  <OwnBrowser {...props} own={own} />
                ) : (
                  <TurnedOff {...props} publicKey={publicKey} />
                )}
              </PageSection>
              {others.length > 0 && <OtherBrowsers {...props} others={others} />}
            </>
          );
        }}
      </Loaded>
    </PageSection>
  );
};

const TurnedOff = ({
  support,
  origin,
  onTurnOn,
  isTurningOn,
  publicKey,
}: NotificationSettingsProps & { publicKey: string }) => {
  if (support === undefined) return <Spinner />;
  if (support !== "ready") return <Unsupported support={support} origin={origin} />;
  return (
    <div>
      <Button variant="primary" isBusy={isTurningOn} onClick={() => onTurnOn(publicKey)}>
        Turn on notifications
      </Button>
    </div>
  );
};

type Reason = { title: string; text: (origin: string) => ReactNode };

const REASONS: Record<Exclude<PushSupport, "ready">, Reason> = {
  insecure: {
    title: "Notifications need https",
    text: (origin) =>
      `Browsers notify only for pages that were opened by https, or at http://localhost on the same computer. This page was opened at ${origin}. Ask the person who runs this server for an address with https.`,
  },
  "needs-install": {
    title: "Add Parley to the Home Screen first",
    text: () =>
      "iPhones and iPads notify only for installed apps: choose Share, then Add to Home Screen, and open Parley from there.",
  },
  blocked: {
    title: "This browser blocks notifications",
    text: () => "Allow notifications for this page in the settings of the browser.",
  },
  unsupported: {
    title: "This browser cannot be notified",
    text: () => "It has no Web Push, or not in a private window.",
  },
};

const Unsupported = ({
  support,
  origin,
}: {
  support: Exclude<PushSupport, "ready">;
  origin: string;
}) => {
  const { title, text } = REASONS[support];
  return (
    <Alert tone="info" title={title}>
      {text(origin)}
    </Alert>
  );
};

const SCOPES: readonly DescribedOption<PushScope>[] = [
  { value: "all", label: "All chats" },
  { value: "own", label: "My chats" },
  { value: "off", label: "Never" },
];

const OwnBrowser = (props: NotificationSettingsProps & { own: PushSubscription }) => {
  const { own, onChange, isChanging, onTest, isTesting, testResult, onRemove, removingId } = props;
  const { needs_you, done, with_text } = own;
  const change = (part: Partial<PushChoice>): void =>
    onChange({ needs_you, done, with_text, ...part });
  return (
    <div className="grid gap-6">
      <RadioGroup
        label="When a chat needs you"
        hint="My chats are those in which you wrote last. In the others, a program did, with an API key."
        options={SCOPES}
        value={needs_you}
        onChange={(scope) => change({ needs_you: scope })}
        disabled={isChanging}
      />
      <RadioGroup
        label="When an answer is done or has failed"
        options={SCOPES}
        value={done}
        onChange={(scope) => change({ done: scope })}
        disabled={isChanging}
      />
      <Checkbox
        label="Show the beginning of the answer, too"
        hint="Otherwise only the title of the chat is sent. Either is encrypted for this browser, but others may read it on a locked screen."
        checked={with_text}
        onChange={({ target }) => change({ with_text: target.checked })}
        disabled={isChanging}
      />
      <div className="flex flex-wrap gap-2">
        <Button isBusy={isTesting} onClick={() => onTest(own)}>
          Send a test
        </Button>
        <Button isBusy={removingId === own.id} onClick={() => onRemove(own)}>
          Turn off
        </Button>
      </div>
      <TestResult result={testResult} />
    </div>
  );
};

const TestResult = ({ result }: { result: PushTest | undefined }) => {
  if (!result) return null;
  if (result.problem === null) {
    return (
      <Alert tone="success" announce="status" title="Sent">
        It should show in a few seconds. If it does not, look whether your system shows the
        notifications of this browser.
      </Alert>
    );
  }
  return <FailureAlert title="The test was not sent" detail={result.problem} />;
};

const OtherBrowsers = ({
  others,
  onRemove,
  removingId,
}: Pick<NotificationSettingsProps, "onRemove" | "removingId"> & {
  others: readonly PushSubscription[];
}) => (
  <PageSection
    title="Other browsers"
    lead="What they are notified of is chosen there. Signing a browser out turns its notifications off."
  >
    <DetailList>
      {others.map((subscription) => {
        const name = describeUserAgent(subscription.user_agent);
        return (
          <DetailRow
            key={subscription.id}
            title={name}
            badges={subscription.with_text && <Badge text="With text" />}
            facts={[
              `Needs you: ${describeScope(subscription.needs_you)}`,
              `Done: ${describeScope(subscription.done)}`,
              `Since ${formatDate(subscription.created_at)}`,
            ]}
            action={
              <Button
                size="sm"
                aria-label={`Turn off ${name}`}
                isBusy={removingId === subscription.id}
                onClick={() => onRemove(subscription)}
              >
                Turn off
              </Button>
            }
          />
        );
      })}
    </DetailList>
  </PageSection>
);

const describeScope = (scope: PushScope): string =>
  (SCOPES.find(({ value }) => value === scope)?.label ?? scope).toLowerCase();
