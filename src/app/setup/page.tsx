import { redirect } from "next/navigation";
import { listHosts } from "@/app/session";
import { AccountFrame } from "@/components/account/account-frame";
import { appApi } from "@/server/api/process-api";
import { SetupScreen } from "@/client/screens/account/setup-screen";

type SetupPageProps = { searchParams: Promise<{ code?: string | string[] }> };

const SetupPage = async ({ searchParams }: SetupPageProps) => {
  const { pages } = appApi();
  if (await pages.hasOwner()) redirect("/login");
  const { code } = await searchParams;
  const setupCode = typeof code === "string" ? code : undefined;
  if (await pages.opensSetup(setupCode)) {
    return <SetupScreen setupCode={setupCode} hosts={await listHosts()} />;
  }
  return (
    <AccountFrame
      title="Welcome to Parley"
      lead="This server has no owner yet. To make the owner’s account, open the link that the server printed when it started."
    />
  );
};
export default SetupPage;
