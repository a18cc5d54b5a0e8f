import { z } from 'zod'
import { holderSuites } from '#core/crypto/suites.ts'
import { isTestbedError, TestbedError } from '#core/errors/testbed-error.ts'
import type { ConnectedWallet } from '#testbed/wallet-server/connect-wallet.ts'
import type { DeferralOptions } from '#wallet-emulator/actions/request-credential.ts'
import { readQrImage } from '#wallet-emulator/qr/read-qr-code.ts'
import type { CounterpartAnswer } from '#wallet-emulator/wallet-error.ts'
import { invalidWalletRequest } from '../errors.ts'
import type { PlayedWallet, WalletSession } from './create-wallet-session.ts'

/** What the verbs of the wallet server need. */
export interface WalletServerDependencies {
  readonly session: WalletSession
  /** Connects the wallet for a link: a clock, a policy for addresses, registries. */
  connect(wallet: PlayedWallet, link: string): Promise<ConnectedWallet>
  /** How it waits for a credential that is not ready. Default: like the wallet. */
  readonly deferral?: DeferralOptions
}

export const zPlayedWallet = z.object({
  holder_did: z.string(),
  kid: z.string().describe('DID URL of the key that signs'),
  algorithm: z.enum(holderSuites),
  faults: z.array(z.string()).describe('Names of its deviations'),
})

/** The identity of the wallet, as the verbs return it. */
export function describeWallet({ account, faults }: PlayedWallet): z.infer<typeof zPlayedWallet> {
  const { did, kid, algorithm } = account
  return { holder_did: did, kid, algorithm, faults: faults.map(({ name }) => name) }
}

/** A credential in the wallet, as the verbs return it. */
export const zHeldCredential = z.object({
  id: z.string().describe('Its id in this wallet'),
  format: z.string(),
  credential: z.string().describe('The issued credential, a JWT'),
})

/** A link as a string, or an image with its QR code. */
export const linkMembers = {
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
export function readLinkOf({
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
