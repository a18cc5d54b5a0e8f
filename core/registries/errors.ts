import { decodeRevert } from '#core/contracts/decode-abi.ts'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { conditionOf } from '#core/profile/contract-conditions.ts'

/** The response of a registry. */
export interface RegistryAnswer {
  readonly status: number
  readonly text: string
  /** The body as JSON; `undefined` if it is not JSON. */
  readonly json: unknown
}

/**
 * The registry's API rejected the request, or its response is not valid. The message contains the
 * response. The registry's own code is in `extra.error`: a string from the DID registry, a number
 * from the TIR's JSON-RPC.
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

/** The registry built a call with other values than requested: a client must not sign it. */
export const differentTransaction = (operation: string, call: string): TestbedError =>
  new TestbedError({
    code: 'registry_refused',
    status: 502,
    message: `${operation}: the registry built a different transaction: ${call}`,
    extra: { isDifferent: true },
  })

export const isDifferentTransaction = ({ extra }: TestbedError): boolean =>
  extra.isDifferent === true

/** Creates the error for a response that is not a success of the documented shape. */
export function answerRefused(what: string, { status, json, text }: RegistryAnswer): TestbedError {
  const { error, error_description } = (json ?? {}) as Record<string, unknown>
  const hasCode = typeof error === 'string'
  const said = hasCode ? `${error} ${error_description ?? ''}` : text.slice(0, 300)
  const why = `the registry returned HTTP ${status} ${said}`.trim()
  return registryRefused(what, why, { status, ...(hasCode ? { error } : {}) })
}

/** The arguments of a contract's error, else its name. */
function listArguments({ name, args }: NonNullable<ReturnType<typeof decodeRevert>>): string[] {
  const members = Object.entries(Object(args)).map(([member, value]) => `${member}: ${value}`)
  return members.length === 0 ? [name] : members
}

/** The transaction was mined but reverted. `revertReason` is ABI data, if known. */
export function transactionReverted(
  what: string,
  hash: string,
  revertReason?: string,
): TestbedError {
  const error = revertReason === undefined ? undefined : decodeRevert(revertReason)
  const args = error?.args === undefined ? '' : ` ${JSON.stringify(error.args)}`
  const reason = error === undefined ? (revertReason ?? '') : `${error.name}${args}`
  const condition = error && conditionOf(error.name)
  const unmet = condition && {
    rule: error.name,
    ...condition,
    reasons: listArguments(error),
  }
  return new TestbedError({
    code: 'transaction_reverted',
    status: 409,
    message: `${what}: transaction ${hash} reverted${reason === '' ? '' : `: ${reason}`}`,
    hints: [
      ...(condition ? [`Expected: ${condition.statement} See ${condition.paragraph}`] : []),
      error?.name === 'DidRegistryDidAlreadyRegistered'
        ? 'This DID is already registered. Create another key with `did keys`.'
        : 'Nothing has changed. Check the permissions of the signer and the arguments.',
    ],
    extra: { hash, ...(error === undefined ? {} : { revert: error, unmet }) },
  })
}

/** The transaction was accepted but not mined within the waiting time. */
export function transactionPending(what: string, hash: string): TestbedError {
  return new TestbedError({
    code: 'transaction_pending',
    status: 504,
    message: `${what}: transaction ${hash} was sent but is not mined yet.`,
    hints: ['It may still be mined. Check the registry before you send another transaction.'],
    extra: { hash },
  })
}
