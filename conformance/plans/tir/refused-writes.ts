import { type CheckTexts, defineChecks } from '../../kit/check.ts'
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
