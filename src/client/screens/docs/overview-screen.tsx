"use client";
import type { ComponentProps } from "react";
import { useNavigate } from "@/client/use-navigate";
import { useOrigin } from "@/client/use-origin";
import { ReferenceOverview } from "@/components/docs/reference-overview";

type OverviewScreenProps = Pick<
  ComponentProps<typeof ReferenceOverview>,
  "groups" | "schemaNames"
> & { basePath: string };

export const OverviewScreen = ({ basePath, groups, schemaNames }: OverviewScreenProps) => {
  const navigate = useNavigate();
  return (
    <ReferenceOverview
      groups={groups}
      schemaNames={schemaNames}
      baseUrl={`${useOrigin()}${basePath}`}
      onNavigate={navigate}
    />
  );
};
