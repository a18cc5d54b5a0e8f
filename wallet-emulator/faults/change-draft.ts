import type { FaultContext, JwsDraft } from './wallet-fault.ts'

type Members = Readonly<Record<string, unknown>>
type DraftChange = (draft: JwsDraft, context: FaultContext) => JwsDraft

/** A deviation that sets members of the payload; one set to undefined is left out. */
export function changePayload(
  members: (payload: Members, context: FaultContext) => Members,
): DraftChange {
  return (draft, context) => ({
    ...draft,
    payload: { ...draft.payload, ...members(draft.payload, context) },
  })
}

/** A deviation that sets members of the header; one set to undefined is left out. */
export function changeHeader(
  members: (header: Members, context: FaultContext) => Members,
): DraftChange {
  return (draft, context) => ({
    ...draft,
    header: { ...draft.header, ...members(draft.header, context) },
  })
}

/** A deviation that flips one bit in the middle of the signature. */
export const breakSignature: DraftChange = (draft) => ({
  ...draft,
  sign: (signingInput) => {
    const signature = Uint8Array.from(draft.sign(signingInput))
    const middle = signature.length >> 1
    signature[middle] = (signature[middle] ?? 0) ^ 1
    return signature
  },
})
