import { z } from 'zod'
import { type DidDocument, zDidDocument } from '#core/did/did-document.ts'
import type { Signer } from '#core/ethereum/account.ts'
import { signTransaction, type UnsignedTransaction } from '#core/ethereum/transaction.ts'
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

/** A transaction that the send endpoint took: pending is HTTP 206 (profile/did-registry, Write). */
export interface SentTransaction {
  readonly hash: string
  readonly state: 'applied' | 'reverted' | 'pending'
  /** ABI data of the revert, where the registry tells it. */
  readonly revertReason?: string | undefined
}

/**
 * The DID registry API as a client has it (the profile); any registry of that API serves. Each call
 * throws a TestbedError `registry_refused` for an answer that is no success.
 */
export interface DidRegistryClient {
  /** Undefined where the DID is not registered. `validAt` is in Unix seconds. */
  resolve(did: string, validAt?: number): Promise<DidDocument | undefined>
  /** Has a transaction built, by the name of an operation below /contract/. */
  build(operation: string, body: object): Promise<UnsignedTransaction>
  /** Takes a signed raw transaction as 0x-hex. */
  send(raw: string): Promise<SentTransaction>
}

/** Builds the client of a DID registry. */
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
      throw registryRefused('resolution', `the registry answered no DID document of ${did}`)
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
      const sent = zSent.safeParse(answer.json)
      if (!sent.success) throw registryRefused('sending', 'the registry answered no tx_hash')
      const { tx_hash: hash, receipt } = sent.data
      if (!receipt) return { hash, state: 'pending' }
      const state = receipt.status === 1 ? 'applied' : 'reverted'
      return { hash, state, revertReason: receipt.revertReason }
    },
  }
}

export interface SubmitDidTransactionOptions {
  readonly didRegistry: DidRegistryClient
  /** Called with what is about to be signed; what it throws ends the writing. */
  readonly onUnsigned?: ((transaction: UnsignedTransaction) => void) | undefined
}

/**
 * Writes through the DID registry API: has the transaction built, signs it, sends it (
 * profile/README, The parts), and again where the nonce is taken meanwhile. Whoever gets a pending
 * one
 * waits for its receipt.
 * @throws TestbedError `registry_refused`, `wrong_signer`
 */
export function submitDidTransaction(
  { didRegistry, onUnsigned }: SubmitDidTransactionOptions,
  operation: string,
  body: object,
  signer: Signer,
): Promise<SentTransaction> {
  return buildAgainWhenStale(async () => {
    const unsigned = await didRegistry.build(operation, { ...body, from: signer.address })
    onUnsigned?.(unsigned)
    return didRegistry.send(signTransaction(unsigned, signer.privateKey).raw)
  })
}
