"use client";
import { useNavigate } from "@/client/use-navigate";
import type { ReferenceSchema } from "@/components/docs/reference";
import { SchemaDetails } from "@/components/docs/schema-details";

export const SchemaScreen = ({ schema }: { schema: ReferenceSchema }) => {
  const navigate = useNavigate();
  return <SchemaDetails schema={schema} onNavigate={navigate} />;
};
