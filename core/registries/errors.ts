import { decodeRevert } from '#core/contracts/decode-abi.ts'
import { TestbedError } from '#core/errors/testbed-error.ts'

/** What a registry answered. */
export interface RegistryAnswer {
  readonly status: number
  readonly text: string
  /** The body as JSON; `undefined` where it is none. */
  readonly json: unknown
}

/** Codes of what a registry, or the chain below it, did not do; see the functions below. */
export const registryErrorCodes: ReadonlySet<string> = new Set([
  'registry_refused',
  'transaction_reverted',
  'transaction_pending',
])

/**
 * The registry's API refused, or gave an answer that is none; says what it said. The registry's own
 * code is in `extra.error`: a text of the DID registry, a number of the TIR's JSON-RPC.
 */
export function registryRefused(
  what: string,
  why: string,
  { status = 502, error }: { readonly status?: number; readonly error?: string | number } = {},
): TestbedError {
  return new TestbedError({
    code: 'registry_refused',
    status,
    message: `${what}: ${why}`,
    ...(error === undefined ? {} : { extra: { error } }),
  })
}

/** Refuses an answer that is no success of the documented shape. */
export function answerRefused(what: string, { status, json, text }: RegistryAnswer): TestbedError {
  const { error, error_description } = (json ?? {}) as Record<string, unknown>
  const hasCode = typeof error === 'string'
  const said = hasCode ? `${error} ${error_description ?? ''}` : text.slice(0, 300)
  const why = `the registry answered HTTP ${status} ${said}`.trim()
  return registryRefused(what, why, { status, ...(hasCode ? { error } : {}) })
}

/** The transaction was mined and changed nothing. `revertReason` is ABI data, where it is known. */
export function transactionReverted(
  what: string,
  hash: string,
  revertReason?: string,
): TestbedError {
  const error = revertReason === undefined ? undefined : decodeRevert(revertReason)
  const args = error?.args === undefined ? '' : ` ${JSON.stringify(error.args)}`
  const reason = error === undefined ? (revertReason ?? '') : `${error.name}${args}`
  return new TestbedError({
    code: 'transaction_reverted',
    status: 409,
    message: `${what}: transaction ${hash} reverted${reason === '' ? '' : `: ${reason}`}`,
    hints: ['Nothing has changed: check that the signer may do this, and the arguments.'],
    extra: { hash, ...(error === undefined ? {} : { revert: error }) },
  })
}

/** The transaction was accepted, and nothing showed within the time that was waited. */
export function transactionPending(what: string, hash: string): TestbedError {
  return new TestbedError({
    code: 'transaction_pending',
    status: 504,
    message: `${what}: transaction ${hash} was sent and is not mined yet.`,
    hints: ['It may still be: look at the registry again before sending another one.'],
    extra: { hash },
  })
}
