import { notFound } from "next/navigation";
import { getReference } from "@/app/(app)/docs/reference";
import { GroupScreen } from "@/client/screens/docs/group-screen";

const GroupPage = async ({ params }: { params: Promise<{ group: string }> }) => {
  const { group: name } = await params;
  const { basePath, groups } = getReference();
  const group = groups.find((candidate) => candidate.name === name);
  if (!group) notFound();
  return <GroupScreen group={group} basePath={basePath} />;
};
export default GroupPage;
