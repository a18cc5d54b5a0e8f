import { z } from 'zod'
import { holderCurves } from '#core/crypto/suites.ts'
import { defineRoute } from '#kit/define-route.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import { present } from '#wallet-emulator/actions/present.ts'
import {
  asVerb,
  describeWallet,
  linkMembers,
  readLinkOf,
  type WalletServerDependencies,
  zHeldCredential,
  zPlayedWallet,
} from './dependencies.ts'

export const acceptOfferVerb = defineRoute<WalletServerDependencies>()({
  method: 'post',
  path: '/accept-offer',
  summary: 'Accepts a credential offer, from its link to the credentials',
  auth: 'token',
  request: {
    limit: 12_000_000,
    body: z.strictObject({
      ...linkMembers,
      pin: z.string().max(256).optional().describe('The PIN, if the offer requires one'),
    }),
    example: { link: 'openid-credential-offer://?credential_offer_uri=…', pin: '4935' },
  },
  responses: {
    200: {
      description: 'The credentials that the wallet stored',
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

export const presentVerb = defineRoute<WalletServerDependencies>()({
  method: 'post',
  path: '/present',
  summary: 'Answers a presentation request with a matching credential',
  description: 'Success means that the verifier received the post. It is not a verdict.',
  auth: 'token',
  request: {
    limit: 12_000_000,
    body: z.strictObject({
      ...linkMembers,
      credential_id: z
        .string()
        .max(64)
        .optional()
        .describe('Selects a credential if several match: its id in this wallet, or its urn:uuid'),
    }),
    example: { link: 'openid4vp://?client_id=…&request_uri=…' },
  },
  responses: {
    200: {
      description: 'What was presented, to which verifier, and where the browser continues',
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

export const resetVerb = defineRoute<WalletServerDependencies>()({
  method: 'post',
  path: '/reset',
  summary: 'Resets the wallet to an empty state; a wallet in memory gets a new key',
  auth: 'token',
  request: {
    body: z.strictObject({
      curve: z.enum(holderCurves).optional(),
      did_method: z.enum(['key', 'jwk']).optional(),
      faults: z.array(z.string().max(64)).max(64).optional().describe('Names of deviations'),
    }),
    example: { curve: 'Ed25519', did_method: 'jwk', faults: ['proof-wrong-aud'] },
  },
  responses: { 200: { description: 'The new wallet', body: zPlayedWallet } },
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
