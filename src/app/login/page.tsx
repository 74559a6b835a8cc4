import { redirect } from "next/navigation";
import { findUser, listHosts } from "@/app/session";
import { readReturnPath } from "@/lib/return-path";
import { appApi } from "@/server/api/process-api";
import { LoginScreen } from "@/client/screens/account/login-screen";

type LoginPageProps = { searchParams: Promise<{ next?: string | string[] }> };

const LoginPage = async ({ searchParams }: LoginPageProps) => {
  if (!(await appApi().pages.hasOwner())) redirect("/setup");
  const [next] = [(await searchParams).next].flat();
  const returnPath = readReturnPath(next);
  if (await findUser()) redirect(returnPath);
  return <LoginScreen returnPath={returnPath} hosts={await listHosts()} />;
};
export default LoginPage;
