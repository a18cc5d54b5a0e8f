import { createCredentialRequest } from '#core/oid4vci/credential-request.ts'
import {
  type CredentialResponse,
  parseCredentialResponse,
} from '#core/oid4vci/credential-response.ts'
import type { CredentialSupported, IssuerMetadata } from '#core/oid4vci/issuer-metadata.ts'
import { createProofOfPossession } from '#core/oid4vci/proof-of-possession.ts'
import type { Wallet } from '../create-wallet.ts'
import { applyFaults, applyJwsFaults, sendWithFaults } from '../faults/apply-faults.ts'
import type { WalletResponse } from '../http/create-wallet-http.ts'
import { walletError } from '../wallet-error.ts'
import { describeRefusal, sentenceOf } from './describe-refusal.ts'

export interface RequestCredentialOptions {
  readonly metadata: IssuerMetadata
  /** Which of the offered credentials. */
  readonly entry: CredentialSupported
  readonly accessToken: string
  /** Seconds. */
  readonly expiresIn?: number | undefined
  readonly cNonce?: string | undefined
  /** Seconds. */
  readonly cNonceExpiresIn?: number | undefined
}

/**
 * Asks for one credential with a proof of possession made for this request (Document 1, POST
 * /credential). Where the issuer refuses the nonce and hands out a fresh one, the wallet tries once
 * more with that. Throws a TestbedError `credential_refused` with the issuer's answer, or
 * `invalid_response`.
 */
export async function requestCredential(
  wallet: Wallet,
  options: RequestCredentialOptions,
): Promise<CredentialResponse> {
  let response = await sendRequest(wallet, options)
  const freshNonce = freshNonceOf(response)
  if (freshNonce !== undefined && freshNonce !== options.cNonce) {
    wallet.emit({ type: 'nonce-renewed' })
    response = await sendRequest(wallet, { ...options, cNonce: freshNonce })
  }
  // A deferring issuer may say so by 202 as well.
  if (response.status !== 200 && response.status !== 202) {
    const answer = describeRefusal(response)
    throw walletError('credential_refused', sentenceOf(answer), { answer })
  }
  const result = parseCredentialResponse(response.json)
  if (result.ok) return result.response
  const { failures } = result
  throw walletError('invalid_response', `${response.url} answered no credential.`, { failures })
}

async function sendRequest(
  wallet: Wallet,
  options: RequestCredentialOptions,
): Promise<WalletResponse> {
  const { metadata, entry, accessToken, cNonce } = options
  const { did, kid, privateKey } = wallet.account
  const proofJwt = applyJwsFaults(
    wallet,
    'proof',
    createProofOfPossession({
      privateKey,
      holderDid: did,
      kid,
      credentialIssuer: metadata.credentialIssuer,
      ...(cNonce === undefined ? {} : { cNonce }),
      now: wallet.now(),
    }),
    options,
  )
  wallet.emit({ type: 'proof-created', jwt: proofJwt })
  const { format, types } = entry
  const body = { ...createCredentialRequest({ format, types, proofJwt }) }
  const call = {
    url: metadata.credentialEndpoint,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      authorization: `Bearer ${accessToken}`,
    },
    body: JSON.stringify(applyFaults(wallet, 'credentialRequest', body, options)),
  } as const
  return sendWithFaults(wallet, 'credentialCall', call, options)
}

/** The c_nonce of an answer that refuses the one used: by invalid_nonce, or earlier invalid_proof. */
function freshNonceOf({ status, json }: WalletResponse): string | undefined {
  if (status !== 400 || typeof json !== 'object' || json === null) return undefined
  const { error, c_nonce: nonce } = json as Record<string, unknown>
  if (error !== 'invalid_nonce' && error !== 'invalid_proof') return undefined
  return typeof nonce === 'string' && nonce !== '' ? nonce : undefined
}
