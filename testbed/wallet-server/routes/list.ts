import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import type { WalletServerDependencies } from '../dependencies.ts'
import { describeWallet, zPlayedWallet } from '../describe-wallet.ts'
import { zHeldCredential } from '../z-held-credential.ts'

export const listVerb = defineRoute<WalletServerDependencies>()({
  method: 'get',
  path: '/list',
  summary: 'The wallet and the credentials in it, oldest first',
  auth: 'token',
  responses: {
    200: {
      description: 'The wallet',
      body: zPlayedWallet.extend({ credentials: z.array(zHeldCredential) }),
    },
  },
  async handle(_input, { session: { wallet } }) {
    const credentials = (await wallet.store.listCredentials()).map(
      ({ id, format, credential }) => ({ id, format, credential }),
    )
    return { status: 200, body: { ...describeWallet(wallet), credentials } }
  },
})
