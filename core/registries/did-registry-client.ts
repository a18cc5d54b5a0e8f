import { z } from 'zod'
import { type DidDocument, zDidDocument } from '#core/did/did-document.ts'
import type { Signer } from '#core/ethereum/account.ts'
import { signTransaction, type UnsignedTransaction } from '#core/ethereum/transaction.ts'
import { listIssues, plainIssues } from '#core/json/plain-issues.ts'
import { answerRefused, registryRefused } from './errors.ts'
import {
  buildAgainWhenStale,
  parseBuiltTransaction,
  type RequestRegistry,
} from './registry-request.ts'

const zSent = z.looseObject({
  tx_hash: z.string(),
  receipt: z
    .looseObject({ status: z.number(), revertReason: z.string().optional() })
    .nullable()
    .optional(),
})

/**
 * A transaction that the send endpoint accepted; pending is HTTP 206 (profile/did-registry, Write).
 */
export interface SentTransaction {
  readonly hash: string
  readonly state: 'applied' | 'reverted' | 'pending'
  /** ABI data of the revert, if the registry returns it. */
  readonly revertReason?: string | undefined
}

/**
 * A client of the DID registry API (the profile), for any registry with that API. Each call throws
 * a TestbedError `registry_refused` if the response is not a success.
 */
export interface DidRegistryClient {
  /** Undefined if the DID is not registered. `validAt` is in Unix seconds. */
  resolve(did: string, validAt?: number): Promise<DidDocument | undefined>
  /** Requests an unsigned transaction for an operation below /contract/. */
  build(operation: string, body: object): Promise<UnsignedTransaction>
  /** Sends a signed raw transaction in 0x-hex. */
  send(raw: string): Promise<SentTransaction>
}

/** Creates the client of a DID registry. */
export function createDidRegistryClient(request: RequestRegistry): DidRegistryClient {
  return {
    async resolve(did, validAt) {
      const query = validAt === undefined ? '' : `?valid-at=${validAt}`
      const path = `/api/v1/identifiers/${encodeURIComponent(did)}${query}`
      const answer = await request(path, { headers: { accept: 'application/did+ld+json' } })
      if (answer.status === 404) return undefined
      if (answer.status !== 200) throw answerRefused('resolution', answer)
      const document = zDidDocument.safeParse(answer.json)
      if (document.success && document.data.id === did) return document.data
      throw registryRefused('resolution', `the registry did not return a DID document for ${did}`)
    },
    async build(operation, body) {
      const answer = await request(`/api/v1/contract/${operation}`, { json: body })
      if (answer.status !== 200) throw answerRefused(operation, answer)
      return parseBuiltTransaction(operation, body, answer.json)
    },
    async send(raw) {
      const answer = await request('/api/v1/transactions/send', {
        json: { signedRawTransaction: raw },
      })
      if (answer.status !== 200 && answer.status !== 206) throw answerRefused('sending', answer)
      const sent = zSent.safeParse(answer.json, plainIssues)
      if (!sent.success) {
        const problems = listIssues(sent.error)
        throw registryRefused(
          'sending',
          `the registry did not return {tx_hash, receipt}: ${problems}`,
        )
      }
      const { tx_hash: hash, receipt } = sent.data
      if (!receipt) return { hash, state: 'pending' }
      const state = receipt.status === 1 ? 'applied' : 'reverted'
      return { hash, state, revertReason: receipt.revertReason }
    },
  }
}

export interface SubmitDidTransactionOptions {
  readonly didRegistry: DidRegistryClient
  /** Called before signing. If it throws, nothing is sent. */
  readonly onUnsigned?: ((transaction: UnsignedTransaction) => void) | undefined
  /** Returns the raw transaction; by default a legacy one. */
  readonly sign?: (transaction: UnsignedTransaction, privateKey: string) => string
}

const signLegacy = (transaction: UnsignedTransaction, privateKey: string) =>
  signTransaction(transaction, privateKey).raw

/**
 * Writes through the DID registry API: builds, signs and sends a transaction (profile/README, The
 * parts). Repeats this if another transaction took the nonce. For a pending transaction, the caller
 * waits for the receipt.
 * @throws TestbedError `registry_refused`, `wrong_signer`
 */
export function submitDidTransaction(
  { didRegistry, onUnsigned, sign = signLegacy }: SubmitDidTransactionOptions,
  operation: string,
  body: object,
  signer: Signer,
): Promise<SentTransaction> {
  return buildAgainWhenStale(async () => {
    const unsigned = await didRegistry.build(operation, { ...body, from: signer.address })
    onUnsigned?.(unsigned)
    return didRegistry.send(sign(unsigned, signer.privateKey))
  })
}
