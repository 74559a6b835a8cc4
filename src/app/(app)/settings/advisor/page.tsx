import { requireUser } from "@/app/session";
import { AdvisorScreen } from "./advisor-screen";

const AdvisorPage = async () => {
  const { role } = await requireUser();
  if (role === "owner") return <AdvisorScreen />;
  return (
    <p className="text-muted">
      Only the administrator of this server can see and change these settings.
    </p>
  );
};
export default AdvisorPage;
