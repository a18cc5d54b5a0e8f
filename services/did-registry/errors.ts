import { TestbedError } from '#core/errors/testbed-error.ts'
import type { Refusal } from '#kit/chain-transactions.ts'
import type { InputProblem } from '#kit/define-route.ts'
import type { ErrorCatalogue } from '#kit/open-api.ts'
import { exampleKey } from './domain/examples.ts'
import { didMediaTypes } from './domain/resolution-options.ts'

/** Every error code of this service (profile/did-registry, Errors; A-11). */
export const errorCodes = {
  validation: 'validation_error',
  unsupported: 'UNSUPPORTED',
  signature: 'invalid_signature',
  nonce: 'invalid_nonce',
  funds: 'insufficient_funds',
  notFound: 'not_found',
  notAcceptable: 'not_acceptable',
  tooLarge: 'payload_too_large',
  mediaType: 'unsupported_media_type',
  chain: 'chain_unavailable',
  server: 'server_error',
} as const

/** The errors of every endpoint, and the additional errors of those with a request body. */
export const commonErrors = [errorCodes.validation, errorCodes.chain, errorCodes.server]
export const bodyErrors = [...commonErrors, errorCodes.tooLarge, errorCodes.mediaType]

/**
 * Each code with its status and an example message (profile/did-registry, Errors).
 *
 * @row 2.errors/did-registry.1..8
 */
export const errorCatalogue: ErrorCatalogue = {
  validation_error: { status: 400, message: 'did is required.' },
  UNSUPPORTED: { status: 400, message: 'publicKeyType P-256 is reserved.' },
  invalid_signature: { status: 400, message: 'The signature is not valid.' },
  invalid_nonce: { status: 400, message: 'The nonce is obsolete: build the transaction again.' },
  insufficient_funds: { status: 400, message: 'The signer has no funds for the gas.' },
  not_found: { status: 404, message: `${exampleKey.did} is not registered.` },
  not_acceptable: { status: 406, message: `Accept ${didMediaTypes.join(' or ')}.` },
  payload_too_large: { status: 413, message: 'The body is larger than this endpoint accepts.' },
  unsupported_media_type: { status: 415, message: 'Send the body as application/json.' },
  chain_unavailable: { status: 500, message: 'The blockchain network did not respond.' },
  server_error: { status: 500, message: 'An internal error occurred.' },
}

/** 400 for a member that does not have the documented form. */
export function validationError(message: string): TestbedError {
  return new TestbedError({ code: errorCodes.validation, status: 400, message })
}

/** The schema's problem with publicKeyType P-256. */
export const reservedKeyType = 'is reserved'

/**
 * 400 that lists the schema errors. The reserved publicKeyType has its own code, also in a body with
 * other problems.
 *
 * @assumption A-11
 */
export function refuseInput(problems: readonly InputProblem[]): TestbedError {
  if (problems.some(({ message }) => message === reservedKeyType)) return unsupportedKeyType()
  const listed = problems.slice(0, 8).map(({ in: place, path, message, missing }) => {
    const name = path === '' ? place : path
    return missing ? `${name} is required` : `${name}: ${message}`
  })
  return validationError(`${listed.join('; ')}.`)
}

/** 404 for a DID that is not registered, or was not at a time in Unix seconds. */
export function notRegistered(did: string, validAt?: bigint): TestbedError {
  const when = validAt === undefined ? '' : ` at ${validAt}`
  return new TestbedError({
    code: errorCodes.notFound,
    status: 404,
    message: `${did} is not registered${when}.`,
  })
}

/** 400 for an invalid signature, or for a signer other than the `from` of the transaction. */
export function invalidSignature(message: string): TestbedError {
  return new TestbedError({ code: errorCodes.signature, status: 400, message })
}

/** 400 for a transaction that the chain rejects. */
export function refused(refusal: Refusal, reason: string): TestbedError {
  const [code, message] = {
    nonce: [errorCodes.nonce, 'The nonce is obsolete: build the transaction again.'],
    funds: [
      errorCodes.funds,
      'The signer has no funds for the gas or value of this transaction. Sign it as built, with gasPrice and value 0x0.',
    ],
    other: [errorCodes.validation, `The chain rejected the transaction: ${reason.slice(0, 300)}`],
  }[refusal] as [string, string]
  return new TestbedError({ code, status: 400, message, detail: reason })
}

function unsupportedKeyType(): TestbedError {
  return new TestbedError({
    code: errorCodes.unsupported,
    status: 400,
    message: 'publicKeyType P-256 is reserved. Register the key as JsonWebKey2020 with crv P-256.',
  })
}

export function notAcceptable(): TestbedError {
  return new TestbedError({
    code: errorCodes.notAcceptable,
    status: 406,
    message: `DID documents are served as ${didMediaTypes.join(' or ')}.`,
    headers: { vary: 'accept' },
  })
}
