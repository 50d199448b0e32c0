-- Shipped names of alarms that nobody changed get their shorter ones.
update alarm_codes a set name_en = v.new_name
from (
  values
    ('AttemptedReplayAttacks', 'Replayed messages were received', 'Replayed messages received'),
    ('CsmsFailedToAuthenticate', 'The platform could not prove its identity', 'Platform authentication failed'),
    ('FailedToAuthenticateAtCsms', 'The device could not sign in to the platform', 'Device authentication failed'),
    ('InvalidChargingStationCertificate', 'The certificate of the device is not valid', 'Device certificate invalid'),
    ('InvalidCsmsCertificate', 'The certificate of the platform is not valid', 'Platform certificate invalid'),
    ('InvalidFirmwareSignature', 'The signature of the firmware is not valid', 'Firmware signature invalid'),
    ('InvalidFirmwareSigningCertificate', 'The certificate behind the firmware is not valid', 'Firmware signing certificate invalid'),
    ('InvalidMessages', 'Messages that are not valid were received', 'Invalid messages received'),
    ('MaintenanceLoginFailed', 'Sign-in for maintenance failed', 'Maintenance sign-in failed'),
    ('MemoryExhaustion', 'Memory is exhausted', 'Out of memory'),
    ('ReconfigurationOfSecurityParameters', 'Security settings were changed', 'Security settings changed'),
    ('SecurityLogWasCleared', 'The security log was cleared', 'Security log cleared'),
    ('StatusRejected', 'Status reports of the device are rejected', 'Device status reports rejected'),
    ('TamperDetectionActivated', 'The device was tampered with', 'Tampering detected')
) as v (code, old_name, new_name)
where a.code = v.code and a.device_model_id is null and a.name_en = v.old_name;
