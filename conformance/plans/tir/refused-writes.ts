import type { Signer } from '#core/ethereum/account.ts'
import { type CheckTexts, defineChecks } from '../../kit/check.ts'
import type { Attempt } from '../registries/did-registry-under-test.ts'
import { findWriteRefused, type RefusedWrite } from '../registries/find-write-refused.ts'
import type { TirContext } from './context.ts'

/** A check of a write that its signer, or any account, must not make. */
interface RefusedWriteRow extends CheckTexts {
  /** `A publication by an account that does not control the TAO`. */
  readonly what: string
  readonly prepare: (context: TirContext) => Promise<
    Pick<RefusedWrite, 'attempt' | 'allowed'> & {
      /** The attribute that must stay unchanged, or must not exist. */
      readonly attribute: { readonly did: string; readonly attributeId: string }
    }
  >
}

/** Attempts one wrong write after the other, until one is applied. */
export const attemptEach =
  (attempts: Readonly<Record<string, () => Promise<Attempt>>>) => async (): Promise<Attempt> => {
    for (const [what, attempt] of Object.entries(attempts)) {
      const { isApplied, observed } = await attempt()
      if (isApplied) return { isApplied, observed: `(${what}) ${observed}` }
    }
    const all = Object.keys(attempts).join('; ')
    return { isApplied: false, observed: `(${all}) was rejected or reverted` }
  }

/** The same write by each of these accounts. */
export const byEach = (
  signers: Readonly<Record<string, Signer>>,
  attempt: (signer: Signer) => Promise<Attempt>,
) =>
  Object.fromEntries(
    Object.entries(signers).map(([who, signer]) => [`by ${who}`, () => attempt(signer)] as const),
  )

export const attemptBy = (...writes: Parameters<typeof byEach>) => attemptEach(byEach(...writes))

/** Declares checks of writes that must be rejected or reverted and leave an attribute unchanged. */
export const refusesWrites = (rows: Readonly<Record<`${string}-${string}`, RefusedWriteRow>>) =>
  defineChecks<TirContext, RefusedWriteRow>(rows, ({ what, prepare, ...texts }) => ({
    ...texts,
    expectation: 'refuse',
    sends: `${what}.`,
    decides:
      'The write is rejected or reverted and the attribute stays unchanged, while a correct write is applied.',
    async run(context) {
      const { attribute, ...write } = await prepare(context)
      const { did, attributeId } = attribute
      const read = () => context.tir.readAttribute(did, attributeId)
      return findWriteRefused({ what, subject: 'attribute', read, ...write })
    },
  }))
