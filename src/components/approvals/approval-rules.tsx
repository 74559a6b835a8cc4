"use client";
import { Fragment, useRef, useState } from "react";
import { ApprovalArguments } from "./approval-arguments";
import { useFocusFallback } from "@/components/ui/use-focus-fallback";
import { FailureAlert } from "@/components/ui/failure-alert";
import { Button } from "@/components/ui/button";
import { NavLink } from "@/components/ui/nav-link";
import type { ApprovalRule } from "@/contract/approval-rule";
import type { Problem } from "@/contract/problem";
import { formatDate } from "@/lib/format";
import { humanize } from "@/lib/humanize";
import { type Loadable, Loaded } from "@/components/ui/loaded";
import { DetailList, DetailRow } from "@/components/ui/detail-list";
import { PageSection } from "@/components/ui/page-section";

type ApprovalRulesProps = {
  rules: Loadable<readonly ApprovalRule[]>;
  onReload: () => void;
  /** Undefined when all rules are loaded. */
  onLoadMore: (() => void) | undefined;
  isLoadingMore: boolean;
  onRevoke: (ruleId: string) => void;
  revokingId: string | undefined;
  /** Whether the last revocation succeeded. */
  isRevoked: boolean;
  revokeProblem: Problem | undefined;
  onNavigate: (href: string) => void;
};

/** Lists what the person's chats may always do, and revokes it. */
export const ApprovalRules = (props: ApprovalRulesProps) => {
  const { rules, onReload, onLoadMore, isLoadingMore } = props;
  const { onRevoke, revokingId, isRevoked, revokeProblem } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusFallback(heading);
  const [revokedName, setRevokedName] = useState("");
  const revoke = (rule: ApprovalRule): void => {
    setRevokedName(nameRule(rule));
    onRevoke(rule.id);
  };
  return (
    <PageSection
      title="Always approved"
      lead="Calls that you approved for a whole chat, or for all of yours. After you revoke one, such calls ask again from the next one on."
      headingRef={heading}
    >
      <FailureAlert title={`${revokedName} was not revoked`} detail={revokeProblem?.detail} />
      <p role="status" className="sr-only">
        {isRevoked && `${revokedName} is revoked.`}
      </p>
      <Loaded loadable={rules} what="approvals" onReload={onReload}>
        {(list) =>
          list.length === 0 ? (
            <p className="rounded-lg border border-dashed border-border-strong p-4 text-muted">
              No chat of yours may do anything without asking that needs an approval.
            </p>
          ) : (
            <DetailList>
              {list.map((rule) => (
                <RuleRow
                  key={rule.id}
                  rule={rule}
                  onRevoke={() => revoke(rule)}
                  isRevoking={rule.id === revokingId}
                  onNavigate={props.onNavigate}
                />
              ))}
            </DetailList>
          )
        }
      </Loaded>
      {onLoadMore && (
        <div>
          <Button isBusy={isLoadingMore} onClick={onLoadMore}>
            Show more
          </Button>
        </div>
      )}
    </PageSection>
  );
};

const nameRule = ({ tool_name, chat_title }: ApprovalRule): string =>
  `${humanize(tool_name)} in ${chat_title === null ? "all your chats" : `“${chat_title}”`}`;

const nameCalls = ({ scope, pattern }: ApprovalRule): string => {
  if (pattern !== null) return "Calls that match the pattern, with these values,";
  return scope === null ? "Every call" : "Calls with exactly these values";
};

type RuleRowProps = Pick<ApprovalRulesProps, "onNavigate"> & {
  rule: ApprovalRule;
  onRevoke: () => void;
  isRevoking: boolean;
};

const RuleRow = ({ rule, onRevoke, isRevoking, onNavigate }: RuleRowProps) => {
  const { chat_id, chat_title, tool_name, scope, created_at } = rule;
  const where =
    chat_id === null ? (
      "all your chats"
    ) : (
      <NavLink
        href={`/chats/${chat_id}`}
        onNavigate={onNavigate}
        className="underline underline-offset-2 hover:text-text"
      >
        {chat_title}
      </NavLink>
    );
  return (
    <DetailRow
      title={humanize(tool_name)}
      facts={[
        <Fragment key="where">
          {nameCalls(rule)} in {where}, since {formatDate(created_at)}
        </Fragment>,
      ]}
      action={
        <Button
          size="sm"
          aria-label={`Revoke ${nameRule(rule)}`}
          isBusy={isRevoking}
          onClick={onRevoke}
        >
          Revoke
        </Button>
      }
    >
      {scope !== null && <ApprovalArguments toolName={tool_name} args={scope} />}
    </DetailRow>
  );
};
