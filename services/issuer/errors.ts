import { TestbedError } from '#core/errors/testbed-error.ts'
import type { InputProblem } from '#kit/define-route.ts'
import { STATUS_CODES } from '#kit/node-http.ts'
import type { ErrorCatalogue } from '#kit/open-api.ts'

/**
 * The issuer's wire format of an error (profile/issuer, Errors). The body for an invalid Bearer
 * token is exactly that of the profile.
 *
 * @assumption A-25
 */
export function issuerErrorBody({ status, message, code, extra }: TestbedError): unknown {
  const error = STATUS_CODES[status] ?? 'Error'
  if (code === 'invalid_token') return { error, detail: message }
  return { error, detail: message, error_description: message, ...extra }
}

/** A required member or token claim is missing, or a power is malformed. */
export function missingData(missing: readonly string[]): TestbedError {
  return new TestbedError({
    code: 'missing_data',
    status: 400,
    message: 'Missing required data or invalid powers',
    extra: { missing },
  })
}

export function powersNotAuthorized(): TestbedError {
  return new TestbedError({
    code: 'powers_not_authorized',
    status: 400,
    message: 'The requested powers are not authorized for the organization',
  })
}

export function vcTypeNotConfigured(vcType: string): TestbedError {
  return new TestbedError({
    code: 'vc_type_not_configured',
    status: 500,
    message: 'VC type not configured',
    detail: `credentialTypes has no ${vcType}`,
  })
}

export function connectorProfileNotConfigured(profile: string): TestbedError {
  return new TestbedError({
    code: 'connector_profile_not_configured',
    status: 500,
    message: 'Connector profile not configured',
    detail: `connectorProfiles has no ${profile}`,
  })
}

export function differentConnectorProfiles(): TestbedError {
  return new TestbedError({
    code: 'different_connector_profiles',
    status: 400,
    message: 'The credential types of an offer must have the same Connector profile',
  })
}

export function connectorFailed(detail: string, cause?: unknown): TestbedError {
  return new TestbedError({
    code: 'connector_error',
    status: 500,
    message: 'Error contacting the Connector',
    detail,
    cause,
  })
}

/**
 * The subject's offer was redeemed: a second one is impossible (A-39, subject_id is unique per
 * issuance).
 */
export function offerRedeemed(): TestbedError {
  return new TestbedError({
    code: 'offer_redeemed',
    status: 500,
    message: 'Error contacting the Connector',
    detail: 'the offer of this subject_id has been redeemed',
  })
}

export function recipientRefused(): TestbedError {
  return new TestbedError({
    code: 'recipient_refused',
    status: 400,
    message: 'The mail server rejects this address',
  })
}

export function credentialNotFound(): TestbedError {
  return new TestbedError({
    code: 'credential_not_found',
    status: 404,
    message: 'Unknown credential',
  })
}

export function alreadyRevoked(): TestbedError {
  return new TestbedError({
    code: 'already_revoked',
    status: 400,
    message: 'The credential is already revoked',
  })
}

/** profile/issuer, Errors: internal error while revoking, regardless of the cause. */
export function revocationFailed(cause?: unknown): TestbedError {
  return new TestbedError({
    code: 'revocation_failed',
    status: 500,
    message: 'Internal error while revoking the credential',
    cause,
  })
}

export function credentialIdMismatch(): TestbedError {
  return new TestbedError({
    code: 'credential_id_mismatch',
    status: 400,
    message: 'The record has a different credential_id, or another record has this one',
  })
}

export function powerRequired(action: string): TestbedError {
  return new TestbedError({
    code: 'power_required',
    status: 403,
    message: `The token does not contain a power with the action ${action}`,
  })
}

/** What a wallet receives and shows to its holder during an outage of the Connector. */
export function connectorAway(): TestbedError {
  return new TestbedError({
    code: 'temporarily_unavailable',
    status: 503,
    message: 'The issuer cannot issue credentials at the moment. Try again later.',
    headers: { 'retry-after': '5' },
  })
}

export function statusListNotFound(): TestbedError {
  return new TestbedError({
    code: 'not_found',
    status: 404,
    message: 'Unknown status list',
  })
}

export function otherOrganization(): TestbedError {
  return new TestbedError({
    code: 'other_organization',
    status: 403,
    message: 'The token does not give access to the credentials of this organization',
  })
}

/**
 * Every error code of the routes, for the documentation (profile/issuer, Errors).
 *
 * @row 1.errors.1..7 1.errors.11
 */
export const issuerErrorCatalogue: ErrorCatalogue = {
  invalid_token: { status: 401, message: 'invalid token' },
  invalid_api_key: { status: 401, message: 'The API key is not valid.' },
  invalid_request: { status: 400, message: 'The request does not have the documented shape.' },
  ...Object.fromEntries(
    [
      statusListNotFound(),
      missingData(['email']),
      powersNotAuthorized(),
      vcTypeNotConfigured(''),
      connectorProfileNotConfigured(''),
      connectorFailed(''),
      recipientRefused(),
      credentialNotFound(),
      alreadyRevoked(),
      revocationFailed(),
      credentialIdMismatch(),
      otherOrganization(),
    ].map(({ code, status, message }) => [code, { status, message }]),
  ),
}

/**
 * The documented 400 of the two issuance endpoints, with the paths of missing or invalid members.
 */
export function refuseIncomplete(problems: readonly InputProblem[]): TestbedError {
  return missingData(
    [...new Set(problems.map(({ path, in: place }) => path || place))].slice(0, 20),
  )
}
