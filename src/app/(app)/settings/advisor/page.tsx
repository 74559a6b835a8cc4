import { requireUser } from "@/app/session";
import { AdvisorScreen } from "./advisor-screen";
import { SettingsFrame } from "./settings-frame";

const AdvisorPage = async () => {
  const { role } = await requireUser();
  return (
    <SettingsFrame title="Advisor">
      {role === "owner" ? (
        <AdvisorScreen />
      ) : (
        <p className="text-muted">
          Only the administrator of this server can see and change these settings.
        </p>
      )}
    </SettingsFrame>
  );
};
export default AdvisorPage;
