/** The actions of OCPP 1.6 with its security extensions, 2.0.1 and 2.1, as the specifications spell them. */
export const OCPP_ACTIONS: readonly string[] = `
  AFRRSignal AdjustPeriodicEventStream Authorize BatterySwap BootNotification CancelReservation
  CertificateSigned ChangeAvailability ChangeConfiguration ChangeTransactionTariff ClearCache
  ClearChargingProfile ClearDERControl ClearDisplayMessage ClearTariffs ClearVariableMonitoring
  ClearedChargingLimit ClosePeriodicEventStream CostUpdated CustomerInformation DataTransfer DeleteCertificate
  DiagnosticsStatusNotification ExtendedTriggerMessage FirmwareStatusNotification Get15118EVCertificate
  GetBaseReport GetCertificateChainStatus GetCertificateStatus GetChargingProfiles GetCompositeSchedule
  GetConfiguration GetDERControl GetDiagnostics GetDisplayMessages GetInstalledCertificateIds
  GetLocalListVersion GetLog GetMonitoringReport GetPeriodicEventStream GetReport GetTariffs
  GetTransactionStatus GetVariables Heartbeat InstallCertificate LogStatusNotification MeterValues
  NotifyAllowedEnergyTransfer NotifyChargingLimit NotifyCustomerInformation NotifyDERAlarm NotifyDERStartStop
  NotifyDisplayMessages NotifyEVChargingNeeds NotifyEVChargingSchedule NotifyEvent NotifyMonitoringReport
  NotifyPeriodicEventStream NotifyPriorityCharging NotifyReport NotifySettlement NotifyWebPaymentStarted
  OpenPeriodicEventStream PublishFirmware PublishFirmwareStatusNotification PullDynamicScheduleUpdate
  RemoteStartTransaction RemoteStopTransaction ReportChargingProfiles ReportDERControl RequestBatterySwap
  RequestStartTransaction RequestStopTransaction ReservationStatusUpdate ReserveNow Reset
  SecurityEventNotification SendLocalList SetChargingProfile SetDERControl SetDefaultTariff SetDisplayMessage
  SetMonitoringBase SetMonitoringLevel SetNetworkProfile SetVariableMonitoring SetVariables SignCertificate
  SignedFirmwareStatusNotification SignedUpdateFirmware StartTransaction StatusNotification StopTransaction
  TransactionEvent TriggerMessage UnlockConnector UnpublishFirmware UpdateDynamicSchedule UpdateFirmware
  UsePriorityCharging VatNumberValidation
`
  .trim()
  .split(/\s+/);

/** The message types of Sparkplug B 3.0. */
const SPARKPLUG_TYPES = ['NBIRTH', 'NDEATH', 'DBIRTH', 'DDEATH', 'NDATA', 'DDATA', 'NCMD', 'DCMD', 'STATE'];

const SPELLINGS = new Map([...OCPP_ACTIONS, ...SPARKPLUG_TYPES].map((action) => [action.toLowerCase(), action]));

/** The action that a person means, whatever upper and lower case they used. Unknown ones stay as they were entered. */
export function actionNamed(entered: string): string {
  const text = entered.trim();
  return SPELLINGS.get(text.toLowerCase()) ?? text;
}
