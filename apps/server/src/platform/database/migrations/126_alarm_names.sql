-- What OCPP 2.0.1 devices raise: a fault that only a connector's status tells, and security events (part 2, appendix 1)
-- that do not belong to every day.
insert into alarm_codes (code, name_en, name_zh) values
  ('ConnectorFault', 'Connector out of order', '枪故障'),
  ('AttemptedReplayAttacks', 'Replayed messages were received', '收到重放报文'),
  ('CsmsFailedToAuthenticate', 'The platform could not prove its identity', '平台身份验证失败'),
  ('FailedToAuthenticateAtCsms', 'The device could not sign in to the platform', '设备登录平台失败'),
  ('InvalidChargingStationCertificate', 'The certificate of the device is not valid', '设备证书无效'),
  ('InvalidCsmsCertificate', 'The certificate of the platform is not valid', '平台证书无效'),
  ('InvalidFirmwareSignature', 'The signature of the firmware is not valid', '固件签名无效'),
  ('InvalidFirmwareSigningCertificate', 'The certificate behind the firmware is not valid', '固件签名证书无效'),
  ('InvalidMessages', 'Messages that are not valid were received', '收到无效报文'),
  ('InvalidTLSCipherSuite', 'Cipher suite not accepted', 'TLS 加密套件不受支持'),
  ('InvalidTLSVersion', 'TLS version not accepted', 'TLS 版本不受支持'),
  ('MaintenanceLoginFailed', 'Sign-in for maintenance failed', '维护登录失败'),
  ('MemoryExhaustion', 'Memory is exhausted', '内存耗尽'),
  ('ReconfigurationOfSecurityParameters', 'Security settings were changed', '安全参数被修改'),
  ('SecurityLogWasCleared', 'The security log was cleared', '安全日志被清空'),
  ('TamperDetectionActivated', 'The device was tampered with', '检测到设备被撬动')
on conflict do nothing;
