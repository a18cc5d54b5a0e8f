import { TestbedError } from '#core/errors/testbed-error.ts'

export function invalidGrant(message: string): TestbedError {
  return new TestbedError({ code: 'invalid_grant', status: 400, message })
}

export function invalidToken(message: string, challenge: string): TestbedError {
  const headers = { 'www-authenticate': challenge }
  return new TestbedError({ code: 'invalid_token', status: 401, message, headers })
}

export function invalidAcceptanceToken(what: string): TestbedError {
  const message = `The acceptance_token ${what}.`
  return new TestbedError({ code: 'invalid_request', status: 400, message })
}

/** @param extra the new c_nonce in every rejection of a proof */
export function proofRefused(
  code: string,
  message: string,
  extra: Readonly<Record<string, unknown>>,
): TestbedError {
  return new TestbedError({ code, status: 400, message, extra })
}

export function credentialRequestDenied(
  message = 'The issuer no longer issues this credential. Request a new offer.',
): TestbedError {
  return new TestbedError({ code: 'credential_request_denied', status: 400, message })
}

export function unsupportedCredentialType(message: string): TestbedError {
  return new TestbedError({ code: 'unsupported_credential_type', status: 400, message })
}

export function subjectIdInUse(): TestbedError {
  const message = 'The offer of this subject_id has been redeemed. Use another subject_id.'
  return new TestbedError({ code: 'subject_id_in_use', status: 409, message })
}

export function notFound(message: string): TestbedError {
  return new TestbedError({ code: 'not_found', status: 404, message })
}

/** The issuer did not return claims. */
export function claimsUnavailable(detail: string): TestbedError {
  const message = 'The issuer could not provide the claims. Try again later.'
  return new TestbedError({ code: 'temporarily_unavailable', status: 503, message, detail })
}

/** The issuer returned claims that cannot be part of a credential: asking again does not help. */
export function claimsInvalid(detail: string): TestbedError {
  const message = 'The issuer returned invalid claims.'
  return new TestbedError({ code: 'server_error', status: 500, message, detail })
}
