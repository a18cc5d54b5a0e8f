import { z } from 'zod'
import { requireAnswer } from '../../kit/classify-answer.ts'
import { broken, endCheck, inconclusive } from '../../kit/finding.ts'
import type { DidRegistryUnderTest } from '../registries/did-registry-under-test.ts'

const zSent = z.looseObject({ tx_hash: z.string(), receipt: z.looseObject({}).nullable() })

/** Sends what has to be taken: the answer of one of these statuses, with hash and receipt. */
export async function requireSent(
  registry: DidRegistryUnderTest,
  raw: string,
  statuses: readonly number[],
) {
  const sent = await registry.post('transactions/send', { signedRawTransaction: raw })
  if (sent.status === 206 && !statuses.includes(206)) {
    endCheck(
      inconclusive('The chain was slower than the registry waits: there is no receipt (206)'),
    )
  }
  const { json } = requireAnswer(sent, 'A signed transaction', [...statuses])
  const parsed = zSent.safeParse(json)
  if (parsed.success) return parsed.data
  endCheck(
    broken('The send endpoint answered no {tx_hash, receipt}', {
      expected: '{tx_hash: string, receipt: object or null}',
      actual: json,
    }),
  )
}
