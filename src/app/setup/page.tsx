import { redirect } from "next/navigation";
import { AccountFrame } from "@/app/account-frame";
import { appAuth } from "@/server/auth/auth-services";
import { hasOwner } from "@/server/auth/owner";
import { opensSetup } from "@/server/auth/setup-code";
import { SetupScreen } from "./setup-screen";

type SetupPageProps = { searchParams: Promise<{ code?: string | string[] }> };

const SetupPage = async ({ searchParams }: SetupPageProps) => {
  const { db } = appAuth();
  if (await hasOwner(db)) redirect("/login");
  const { code } = await searchParams;
  const setupCode = typeof code === "string" ? code : undefined;
  if (await opensSetup(db, setupCode)) return <SetupScreen setupCode={setupCode} />;
  return (
    <AccountFrame
      title="Welcome to Parley"
      lead="This server has no owner yet. To make the owner’s account, open the link that the server printed when it started."
    />
  );
};
export default SetupPage;
