import { redirect } from "next/navigation";
import { findUser } from "@/app/session";
import { readReturnPath } from "@/lib/return-path";
import { appAuth } from "@/server/auth/auth-services";
import { hasOwner } from "@/server/auth/owner";
import { LoginScreen } from "./login-screen";

type LoginPageProps = { searchParams: Promise<{ next?: string | string[] }> };

const LoginPage = async ({ searchParams }: LoginPageProps) => {
  if (!(await hasOwner(appAuth().db))) redirect("/setup");
  const [next] = [(await searchParams).next].flat();
  const returnPath = readReturnPath(next);
  if (await findUser()) redirect(returnPath);
  return <LoginScreen returnPath={returnPath} />;
};
export default LoginPage;
