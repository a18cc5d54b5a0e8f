import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import type { WalletServerDependencies } from '../dependencies.ts'
import { asVerb } from '../refusal.ts'
import { zHeldCredential } from '../z-held-credential.ts'
import { linkMembers, readLinkOf } from '../z-link.ts'

export const acceptOfferVerb = defineRoute<WalletServerDependencies>()({
  method: 'post',
  path: '/accept-offer',
  summary: 'Accepts a credential offer, from its link to the credentials',
  auth: 'token',
  request: {
    limit: 12_000_000,
    body: z.strictObject({
      ...linkMembers,
      pin: z.string().max(256).optional().describe('The PIN, where the offer asks for one'),
    }),
    example: { link: 'openid-credential-offer://?credential_offer_uri=…', pin: '4935' },
  },
  responses: {
    200: {
      description: 'The credentials that the wallet keeps from now on',
      body: z.object({ credentials: z.array(zHeldCredential) }),
    },
  },
  errors: ['invalid_request', 'credential_rejected', 'token_refused', 'unreachable'],
  async handle({ body }, { session, connect, deferral }) {
    const link = readLinkOf(body)
    const { wallet, trust } = await connect(session.wallet, link)
    const accepted = await asVerb(() =>
      acceptOffer(wallet, link, {
        ...trust,
        ...(deferral && { deferral }),
        getPin: (_txCode, { attempt }) => (attempt === 1 ? body.pin : undefined),
      }),
    )
    const credentials = accepted.map(({ credential: { id, format, credential } }) => ({
      id,
      format,
      credential,
    }))
    return { status: 200, body: { credentials } }
  },
})
