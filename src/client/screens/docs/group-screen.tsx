"use client";
import { useFreshKey } from "@/client/fresh-key";
import { useNavigate } from "@/client/use-navigate";
import { useOrigin } from "@/client/use-origin";
import { OperationSection } from "@/components/docs/operation-section";
import type { ReferenceGroup } from "@/components/docs/reference";

type GroupScreenProps = { group: ReferenceGroup; basePath: string };

export const GroupScreen = ({ group, basePath }: GroupScreenProps) => {
  const navigate = useNavigate();
  const baseUrl = `${useOrigin()}${basePath}`;
  const freshKey = useFreshKey();
  return (
    <div className="grid min-w-0 gap-12">
      <p className="text-muted">{group.description}</p>
      {group.operations.map((operation) => (
        <OperationSection
          key={operation.id}
          operation={operation}
          baseUrl={baseUrl}
          apiKey={freshKey?.key}
          onNavigate={navigate}
        />
      ))}
    </div>
  );
};
