"use client";
import { toLoadable, toReload } from "@/client/screens/to-loadable";
import { useNotifications } from "@/client/use-notifications";
import { useOrigin } from "@/client/use-origin";
import { NotificationSettings } from "@/components/account/notification-settings";

export const NotificationsScreen = () => {
  const notifications = useNotifications();
  const { query, browser } = notifications;
  return (
    <NotificationSettings
      subscriptions={toLoadable(query)}
      onReload={toReload(query)}
      support={browser?.support}
      endpoint={browser?.endpoint}
      origin={useOrigin()}
      onTurnOn={notifications.turnOn}
      onChange={notifications.change}
      onRemove={notifications.remove}
      onTest={notifications.test}
      isTurningOn={notifications.isTurningOn}
      isChanging={notifications.isChanging}
      removingId={notifications.removingId}
      isTesting={notifications.isTesting}
      testResult={notifications.testResult}
      refusal={notifications.refusal}
      problem={notifications.problem}
    />
  );
};
