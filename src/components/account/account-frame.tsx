import type { ReactNode } from "react";
import { Alert } from "@/components/ui/alert";
import { MainArea } from "@/components/ui/main-area";

type AccountFrameProps = {
  title: string;
  lead: string;
  /** Why a sign-in at this address fails. */
  problem?: string | undefined;
  children?: ReactNode;
};

/** The frame of the pages shown before sign-in. */
export const AccountFrame = ({ title, lead, problem, children }: AccountFrameProps) => (
  <MainArea className="grid min-h-dvh place-items-center px-4 py-10">
    <title>{`${title} · Parley`}</title>
    <div className="w-full max-w-sm">
      <div className="mb-6 flex items-center gap-2">
        <img src="/icon.svg" alt="" width={32} height={32} />
        <span className="text-lg font-semibold tracking-tight">Parley</span>
      </div>
      <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
      <p className="mt-1 mb-6 text-muted">{lead}</p>
      {problem !== undefined && (
        <div className="mb-6">
          <Alert tone="warning" announce="status" title="Signing in will not work here.">
            <p>{problem}</p>
          </Alert>
        </div>
      )}
      {children}
    </div>
  </MainArea>
);
