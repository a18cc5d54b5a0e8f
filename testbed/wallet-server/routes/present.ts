import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import { present } from '#wallet-emulator/actions/present.ts'
import type { WalletServerDependencies } from '../dependencies.ts'
import { asVerb } from '../refusal.ts'
import { linkMembers, readLinkOf } from '../z-link.ts'

export const presentVerb = defineRoute<WalletServerDependencies>()({
  method: 'post',
  path: '/present',
  summary: 'Answers a presentation request with a credential that is asked for',
  description: 'That the verifier took the post says nothing about its verdict.',
  auth: 'token',
  request: {
    limit: 12_000_000,
    body: z.strictObject({
      ...linkMembers,
      credential_id: z
        .string()
        .max(64)
        .optional()
        .describe('Which one, where several match: its id in this wallet, or its urn:uuid'),
    }),
    example: { link: 'openid4vp://?client_id=…&request_uri=…' },
  },
  responses: {
    200: {
      description: 'What was presented, to whom, and where a browser is to go on',
      body: z.object({
        credential_id: z.string(),
        client_id: z.string(),
        redirect_uri: z.string().optional(),
      }),
    },
  },
  errors: ['invalid_request', 'no_matching_credential', 'presentation_refused', 'unreachable'],
  async handle({ body }, { session, connect }) {
    const link = readLinkOf(body)
    const { wallet, trust } = await connect(session.wallet, link)
    const wanted = body.credential_id
    const { credential, request, redirectUri } = await asVerb(() =>
      present(wallet, link, {
        ...trust,
        select: wanted === undefined ? {} : { id: wanted },
      }),
    )
    return {
      status: 200,
      body: {
        credential_id: credential.id,
        client_id: request.request.clientId,
        ...(redirectUri === undefined ? {} : { redirect_uri: redirectUri }),
      },
    }
  },
})
