import { notFound } from "next/navigation";
import { getReference } from "@/app/(app)/docs/reference";
import { SchemaScreen } from "@/client/screens/docs/schema-screen";

const SchemaPage = async ({ params }: { params: Promise<{ name: string }> }) => {
  const { name } = await params;
  const schema = getReference().schemas.find((candidate) => candidate.name === name);
  if (!schema) notFound();
  return <SchemaScreen schema={schema} />;
};
export default SchemaPage;
