import { z } from 'zod'
import { holderCurves } from '#core/crypto/suites.ts'
import { defineRoute } from '#kit/define-route.ts'
import type { WalletServerDependencies } from '../dependencies.ts'
import { describeWallet, zPlayedWallet } from '../describe-wallet.ts'

export const resetVerb = defineRoute<WalletServerDependencies>()({
  method: 'post',
  path: '/reset',
  summary: 'Begins anew without credentials; a wallet in memory gets another key',
  auth: 'token',
  request: {
    body: z.strictObject({
      curve: z.enum(holderCurves).optional(),
      did_method: z.enum(['key', 'jwk']).optional(),
      faults: z.array(z.string().max(64)).max(64).optional().describe('Names of deviations'),
    }),
    example: { curve: 'Ed25519', did_method: 'jwk', faults: ['proof-wrong-aud'] },
  },
  responses: { 200: { description: 'The wallet from now on', body: zPlayedWallet } },
  errors: ['invalid_request', 'unknown_fault', 'named_wallet'],
  async handle({ body: { curve, did_method: didMethod, faults } }, { session }) {
    const wallet = await session.reset({
      ...(curve && { curve }),
      ...(didMethod && { didMethod }),
      ...(faults && { faults }),
    })
    return { status: 200, body: describeWallet(wallet) }
  },
})
