import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Signer } from '#core/ethereum/account.ts'
import { membersOf } from '#core/json/json-object.ts'
import { expectEqual } from '#scenarios/harness/expectations.ts'
import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import { broken, type CheckLevel, endCheck, type Finding, inconclusive } from '../../kit/check.ts'
import { findRefusal, requireAnswer } from '../../kit/classify-answer.ts'
import { hashOfTransaction } from '../registries/chain-receipts.ts'
import type { DidRegistryUnderTest } from '../registries/did-registry-under-test.ts'
import { signTyped } from '../registries/raw-transactions.ts'

const zSent = z.looseObject({ tx_hash: z.string(), receipt: z.looseObject({}).nullable() })

export type Sent = z.infer<typeof zSent>

/** Sends a transaction that must be accepted, with one of these statuses, a hash and a receipt. */
export async function requireSent(
  registry: DidRegistryUnderTest,
  raw: string,
  statuses: readonly number[],
): Promise<Sent> {
  const sent = await registry.post('transactions/send', { signedRawTransaction: raw })
  return readSent(sent, statuses)
}

/** Reads the answer to a transaction that must be accepted. */
export function readSent(sent: HttpAnswer, statuses: readonly number[]): Sent {
  const isPending = sent.status === 206 && (membersOf(sent.json).receipt ?? null) === null
  if (isPending && !statuses.includes(206)) {
    endCheck(
      inconclusive('The chain was slower than the registry waits, so there is no receipt (206)'),
    )
  }
  const { json } = requireAnswer(sent, 'A signed transaction', [...statuses, 206])
  const parsed = zSent.safeParse(json)
  if (!parsed.success) {
    endCheck(
      broken('The send endpoint did not return {tx_hash, receipt}', {
        expected: '{tx_hash: string, receipt: object or null}',
        actual: json,
      }),
    )
  }
  const { receipt } = parsed.data
  if ((sent.status === 206) !== (receipt === null)) {
    const expected = 'HTTP 200 with a receipt, or HTTP 206 without one'
    const observed = `HTTP ${sent.status} with${receipt === null ? 'out' : ''} a receipt`
    endCheck(
      broken(`A signed transaction was answered with ${observed}`, { expected, actual: json }),
    )
  }
  return parsed.data
}

/** Reads the answer to a transaction that must be applied, now or once it is mined. */
export async function requireApplied(
  registry: DidRegistryUnderTest,
  raw: string,
  sent: HttpAnswer,
): Promise<void> {
  const { receipt } = readSent(sent, [200, 206])
  if (receipt !== null) return expectEqual('status of the receipt', receipt.status, 1)
  const { state } = await registry.settle({ hash: hashOfTransaction(raw), state: 'pending' })
  expectEqual('the transaction', state, 'applied')
}

/** Builds, signs and sends a write, and returns its receipt. */
export async function writeWithReceipt(
  registry: DidRegistryUnderTest,
  operation: string,
  body: object,
  signer: Signer,
): Promise<Readonly<Record<string, unknown>>> {
  const built = await registry.client.build(operation, { ...body, from: signer.address })
  const raw = signTyped(built, signer.privateKey)
  const { receipt } = await requireSent(registry, raw, [200])
  return receipt ?? {}
}

/** A raw transaction that must not be sent. */
interface RefusedSending {
  /** `A transaction with an obsolete nonce`. */
  readonly what: string
  /** The raw transaction to send. */
  readonly raw: string
  /** The DID whose document must stay unchanged. */
  readonly did: string
  /** The level if the transaction is mined and reverted instead of rejected. */
  readonly revertedLevel?: CheckLevel | undefined
}

/** Sends a transaction that must be rejected with 400, and checks whether anything changed. */
export async function findSendRefused(
  registry: DidRegistryUnderTest,
  { what, raw, did, revertedLevel }: RefusedSending,
): Promise<Finding> {
  const before = await registry.resolve(did)
  const answer = await registry.post('transactions/send', { signedRawTransaction: raw })
  const finding = findRefusal(answer, { what, statuses: [400] })
  const after = await registry.resolve(did)
  if (isDeepStrictEqual(before, after)) {
    return revertedLevel && isReverted(answer.json) ? { ...finding, level: revertedLevel } : finding
  }
  return broken(
    `${what} changed the DID document, although the response was HTTP ${answer.status}`,
    {
      verdictSource: 'the DID document before and after',
      expected: before,
      actual: after,
    },
  )
}

const zReverted = z.looseObject({ receipt: z.looseObject({ status: z.literal(0) }) })

const isReverted = (json: unknown) => zReverted.safeParse(json).success
