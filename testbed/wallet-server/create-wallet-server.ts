import type { Express } from 'express'
import { z } from 'zod'
import { holderCurves, holderSuites } from '#core/crypto/suites.ts'
import { isTestbedError, TestbedError } from '#core/errors/testbed-error.ts'
import { createApp } from '#kit/create-app.ts'
import { defineRoute } from '#kit/define-route.ts'
import type { Authentication } from '#kit/register-route.ts'
import type { Runtime } from '#kit/runtime.ts'
import { secretsEqual } from '#kit/secrets.ts'
import { invalidWalletRequest, invalidWalletToken, namedWallet } from '#testbed/errors.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import { present } from '#wallet-emulator/actions/present.ts'
import type { DeferralOptions } from '#wallet-emulator/actions/request-credential.ts'
import { findFaults } from '#wallet-emulator/faults/find-faults.ts'
import { requireCompatibleFaults } from '#wallet-emulator/faults/require-compatible-faults.ts'
import type { WalletFault } from '#wallet-emulator/faults/wallet-fault.ts'
import {
  type Account,
  type CreateAccountOptions,
  createAccount,
} from '#wallet-emulator/keys/create-account.ts'
import { readQrImage } from '#wallet-emulator/qr/read-qr-code.ts'
import { createMemoryStore, type WalletStore } from '#wallet-emulator/store/wallet-store.ts'
import type { CounterpartAnswer } from '#wallet-emulator/wallet-error.ts'
import type { ConnectedWallet } from './connect-wallet.ts'

/** The current wallet of the server. */
interface PlayedWallet {
  readonly account: Account
  readonly store: WalletStore
  readonly faults: readonly WalletFault[]
}

/** The options of a reset; the others keep the values from the start of the server. */
interface ResetOptions extends Pick<CreateAccountOptions, 'curve' | 'didMethod'> {
  /** Names of deviations. */
  readonly faults?: readonly string[]
}

/** A sequence of wallets: each reset creates a new one. */
export interface WalletSession {
  readonly wallet: PlayedWallet
  /**
   * Starts again without credentials: a wallet in memory with a new key, a stored wallet with its
   * own. Throws a TestbedError `unknown_fault` or `unfit_faults`, or `named_wallet` for a new key
   * of a stored wallet.
   */
  reset(options?: ResetOptions): Promise<PlayedWallet>
}

export interface CreateWalletSessionOptions {
  /** A stored wallet; without it, a wallet in memory. */
  readonly kept?: Pick<PlayedWallet, 'account' | 'store'>
  readonly defaults: ResetOptions
}

/** The wallet behind the server, in its initial state. */
export function createWalletSession({ kept, defaults }: CreateWalletSessionOptions): WalletSession {
  let wallet = create(defaults)

  function create({ curve, didMethod, faults = [] }: ResetOptions): PlayedWallet {
    const named = findFaults(faults)
    const key = { ...(curve && { curve }), ...(didMethod && { didMethod }) }
    const account = kept?.account ?? createAccount(key)
    requireCompatibleFaults(named, account)
    return { account, store: kept?.store ?? createMemoryStore(account), faults: named }
  }

  return {
    get wallet() {
      return wallet
    },
    async reset(options = {}) {
      if (kept && (options.curve ?? options.didMethod) !== undefined) throw namedWallet()
      wallet = create({ ...defaults, ...options })
      for (const { id } of kept ? await wallet.store.listCredentials() : []) {
        await wallet.store.removeCredential(id)
      }
      return wallet
    },
  }
}

/** What the verbs of the wallet server need. */
interface WalletServerDependencies {
  readonly session: WalletSession
  /** Connects the wallet for a link: a clock, a policy for addresses, registries. */
  connect(wallet: PlayedWallet, link: string): Promise<ConnectedWallet>
  /** How it waits for a credential that is not ready. Default: like the wallet. */
  readonly deferral?: DeferralOptions
}

const zPlayedWallet = z.object({
  holder_did: z.string(),
  kid: z.string().describe('DID URL of the key that signs'),
  algorithm: z.enum(holderSuites),
  faults: z.array(z.string()).describe('Names of its deviations'),
})

/** The identity of the wallet, as the verbs return it. */
function describeWallet({ account, faults }: PlayedWallet): z.infer<typeof zPlayedWallet> {
  const { did, kid, algorithm } = account
  return { holder_did: did, kid, algorithm, faults: faults.map(({ name }) => name) }
}

/** A credential in the wallet, as the verbs return it. */
const zHeldCredential = z.object({
  id: z.string().describe('Its id in this wallet'),
  format: z.string(),
  credential: z.string().describe('The issued credential, a JWT'),
})

/** A link as a string, or an image with its QR code. */
const linkMembers = {
  link: z.string().min(1).max(100_000).optional().describe('The link itself'),
  image: z
    .string()
    .max(8_000_000)
    .optional()
    .describe('Base64 of a PNG or JPEG with the QR code, instead of the link'),
}

/**
 * The link that a body contains, in one way or the other. Throws a TestbedError `invalid_request`.
 */
function readLinkOf({
  link,
  image,
}: {
  link?: string | undefined
  image?: string | undefined
}): string {
  if ((link === undefined) === (image === undefined))
    throw invalidWalletRequest('Specify either link or image.')
  if (image === undefined) return link ?? ''
  // Photographs can take seconds, in which the server does not answer.
  const read = readQrImage(Buffer.from(image, 'base64'), { timeLimitMilliseconds: 2000 })
  if (read.ok) return read.text
  throw invalidWalletRequest(`Could not read a link from the image: ${read.reason}.`)
}

/** Error codes of a wallet whose counterpart gave no verdict: nothing was rejected. */
const withoutAnswer = ['unreachable', 'response_too_large', 'deferred_time_out']

/**
 * Runs a verb. If the wallet or its counterpart rejects, the answer is 422. If the counterpart did
 * not answer, was overloaded (429) or failed (5xx), it is 502, because that is not a rejection.
 */
export async function asVerb<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isTestbedError(error) || error.status !== 400) throw error
    const { code, message, hints, extra, cause } = error
    const answer = extra.answer as CounterpartAnswer | undefined
    const failed = answer !== undefined && (answer.status === 429 || answer.status >= 500)
    const status = failed || withoutAnswer.includes(code) ? 502 : 422
    throw new TestbedError({ code, status, message, hints, extra, cause })
  }
}

const acceptOfferVerb = defineRoute<WalletServerDependencies>()({
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

const listVerb = defineRoute<WalletServerDependencies>()({
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

const presentVerb = defineRoute<WalletServerDependencies>()({
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

const resetVerb = defineRoute<WalletServerDependencies>()({
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

export interface WalletServerOptions extends WalletServerDependencies {
  readonly baseUrl: string
  readonly runtime: Runtime
  /** Bearer token that callers must send; without it, every program on this machine has access. */
  readonly token: string | undefined
}

/**
 * The wallet behind four verbs over HTTP, for test suites that drive a wallet under test
 * (docs/guides/wallet-over-http.md). No web page can reach it: without a token, the Host and Origin
 * of a request must be in the list of its names.
 */
export function createWalletServer(options: WalletServerOptions): Express {
  const { baseUrl, runtime, token, session, connect, deferral } = options
  return createApp<WalletServerDependencies>({
    name: 'wallet-server',
    title: 'Wallet',
    version: '1.0.0',
    description: 'Drives a wallet with four verbs, like an adapter of a wallet under test.',
    baseUrl,
    runtime,
    dependencies: { session, connect, ...(deferral && { deferral }) },
    routes: [acceptOfferVerb, presentVerb, listVerb, resetVerb],
    authentication: { token: authenticate(token) },
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer', description: 'If it was started with --token' },
    },
    docsPath: '/docs',
    // A web page does not know the token, and clients on other machines use other host names.
    ...(token === undefined && { ownHostOnly: 'host and origin' as const }),
  })
}

function authenticate(token: string | undefined): Authentication {
  return (request) => {
    if (token === undefined) return undefined
    const bearer = request.get('authorization')?.match(/^Bearer (\S+)$/i)?.[1]
    if (bearer !== undefined && secretsEqual(bearer, token)) return undefined
    throw invalidWalletToken()
  }
}
