"use client";
import { toLoadable, toReload } from "@/client/screens/to-loadable";
import { useShell } from "@/client/screens/shell/shell-context";
import { useApprovalRules } from "@/client/use-approval-rules";
import { useNavigate } from "@/client/use-navigate";
import { useToolModes } from "@/client/use-tool-modes";
import { useToolsets } from "@/client/use-toolsets";
import { useTRPC } from "@/client/trpc";
import { useSetting } from "@/client/use-setting";
import { CallerTools } from "@/components/settings/caller-tools";
import { ApprovalRules } from "@/components/approvals/approval-rules";
import { ToolModes } from "@/components/settings/tool-modes";
import { Toolsets } from "@/components/settings/toolsets";

export const ToolsScreen = () => {
  const { user } = useShell();
  const { query: tools, setMode, ...modes } = useToolModes();
  const { query: rules, revoke, ...revocation } = useApprovalRules();
  return (
    <div className="grid gap-10">
      <ToolModes
        {...modes}
        tools={toLoadable(tools)}
        onReload={toReload(tools)}
        onSetMode={user.role === "owner" ? setMode : undefined}
      />
      {user.role === "owner" && <ToolsetsSection />}
      {user.role === "owner" && <CallerToolsSection />}
      <ApprovalRules
        {...revocation}
        rules={toLoadable(rules)}
        onReload={toReload(rules)}
        onLoadMore={
          rules.hasNextPage
            ? () => {
                rules.fetchNextPage().catch(reportError);
              }
            : undefined
        }
        isLoadingMore={rules.isFetchingNextPage}
        onRevoke={revoke}
        onNavigate={useNavigate()}
      />
    </div>
  );
};

const ToolsetsSection = () => {
  const { query, remove, ...removal } = useToolsets();
  return (
    <Toolsets
      {...removal}
      toolsets={toLoadable(query)}
      onReload={toReload(query)}
      onRemove={remove}
    />
  );
};

const CallerToolsSection = () => {
  const { config } = useTRPC();
  const { query, onSave, isSaving, problem } = useSetting(
    config.getCallerTools.queryOptions({}),
    config.setCallerTools.mutationOptions(),
  );
  return (
    <CallerTools
      config={toLoadable(query)}
      onReload={toReload(query)}
      onSave={onSave}
      isSaving={isSaving}
      problem={problem}
    />
  );
};
