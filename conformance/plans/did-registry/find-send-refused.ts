import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { findRefusal } from '../../kit/classify-answer.ts'
import type { CheckLevel } from '../../kit/define-check.ts'
import { broken, type Finding } from '../../kit/finding.ts'
import type { DidRegistryUnderTest } from '../registries/did-registry-under-test.ts'

export interface WrongSending {
  /** `A transaction with an obsolete nonce`. */
  readonly what: string
  /** As it is sent. */
  readonly raw: string
  /** Whose document has to stay as it is. */
  readonly did: string
  /** How much it weighs where it is mined and reverted, instead of refused. */
  readonly revertedLevel?: CheckLevel
}

/** Sends a transaction that has to be refused with 400, and looks whether anything changed. */
export async function findSendRefused(
  registry: DidRegistryUnderTest,
  { what, raw, did, revertedLevel }: WrongSending,
): Promise<Finding> {
  const before = await registry.resolve(did)
  const answer = await registry.post('transactions/send', { signedRawTransaction: raw })
  const finding = findRefusal(answer, { what, statuses: [400] })
  const after = await registry.resolve(did)
  if (isDeepStrictEqual(before, after)) {
    return revertedLevel && isReverted(answer.json) ? { ...finding, level: revertedLevel } : finding
  }
  return broken(`${what} changed the DID document, though HTTP ${answer.status} was answered`, {
    verdictSource: 'the DID document before and after',
    expected: before,
    actual: after,
  })
}

const zReverted = z.looseObject({ receipt: z.looseObject({ status: z.literal(0) }) })

const isReverted = (json: unknown) => zReverted.safeParse(json).success
