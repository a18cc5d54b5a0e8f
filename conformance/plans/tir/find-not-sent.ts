import { broken, type Finding } from '../../kit/finding.ts'
import type { TirContext } from './context.ts'
import { findRpcError } from './find-rpc-error.ts'
import { type PreparedSending, prepareSending } from './prepare-sending.ts'
import { requireControl } from './require-control.ts'
import { rpcRequest } from './rpc-request.ts'

export interface WrongSending {
  /** `A changed r`. */
  readonly what: string
  /** Makes the correct parameters wrong. */
  readonly change: (prepared: PreparedSending) => object
}

/**
 * Sends a publication with something wrong in it: it is refused with -32602, and nothing of it gets
 * to the chain.
 */
export async function findNotSent(
  context: TirContext,
  { what, change }: WrongSending,
): Promise<Finding> {
  const { tir } = context
  const prepared = await prepareSending(context)
  const { did, attributeId } = prepared.metadata
  const request = rpcRequest('sendSignedTransaction', change(prepared))
  const answer = await tir.post(request)
  const finding = findRpcError(answer, { what, code: -32602 })
  if (finding.kind !== 'held') return finding
  if ((await tir.readAttribute(did, attributeId)) === undefined) {
    // The same with nothing wrong is taken: who takes nothing has refused nothing in particular.
    await requireControl(() => tir.post(rpcRequest('sendSignedTransaction', prepared.sending)))
    return finding
  }
  return broken(`${what} was sent to the chain: the attribute is published`, {
    verdictSource: 'the attribute afterwards',
    expected: 'no attribute',
    actual: answer.json,
  })
}
