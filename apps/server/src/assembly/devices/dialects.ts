import { OCPP16 } from '../../gateways/ocpp16/index.ts';
import { OCPP21 } from '../../gateways/ocpp21/index.ts';
import { OCPP201 } from '../../gateways/ocpp201/index.ts';

/** The supported versions of OCPP. */
export const DIALECTS = [OCPP16, OCPP201, OCPP21];
