"use client";
import { useRouter } from "next/navigation";
import type { ComponentProps } from "react";
import { useOrigin } from "@/client/use-origin";
import { ReferenceOverview } from "@/components/docs/reference-overview";

type OverviewScreenProps = Pick<
  ComponentProps<typeof ReferenceOverview>,
  "groups" | "schemaNames"
> & { basePath: string };

export const OverviewScreen = ({ basePath, groups, schemaNames }: OverviewScreenProps) => {
  const router = useRouter();
  return (
    <ReferenceOverview
      groups={groups}
      schemaNames={schemaNames}
      baseUrl={`${useOrigin()}${basePath}`}
      onNavigate={(href) => router.push(href)}
    />
  );
};
