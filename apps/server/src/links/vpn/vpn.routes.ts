import { vpnEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve/serve.ts';
import type { VpnService } from './vpn.service.ts';

/** The use of a device's SSH server from the user's own computer. */
export function vpnRoutes(app: FastifyInstance, vpn: VpnService): void {
  serve(app, vpnEndpoints.openLinkAccess, ({ caller, params }) => vpn.open(caller, params.id));
}
