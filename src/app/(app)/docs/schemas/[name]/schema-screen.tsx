"use client";
import { useRouter } from "next/navigation";
import type { ReferenceSchema } from "@/components/docs/reference";
import { SchemaDetails } from "@/components/docs/schema-details";

export const SchemaScreen = ({ schema }: { schema: ReferenceSchema }) => {
  const router = useRouter();
  return <SchemaDetails schema={schema} onNavigate={(href) => router.push(href)} />;
};
