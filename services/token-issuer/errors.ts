import { TestbedError } from '#core/errors/testbed-error.ts'

const loginExpired = (message: string) =>
  new TestbedError({ code: 'login_expired', status: 400, message })

/** There is no pending login that could start a login at a provider. */
export const unknownInteraction = () => loginExpired('This login has expired.')

/** The response of an external identity provider does not match a login of this browser. */
export const unknownBrokerLogin = () =>
  loginExpired('This login has expired, was already used, or was started in another browser.')

/** The ticket does not complete any login, or not this one. */
export const unknownTicket = () => loginExpired('This login has expired or was already used.')

export const unknownProvider = () =>
  new TestbedError({
    code: 'unknown_provider',
    status: 404,
    message: 'Unknown identity provider.',
  })

export const unknownOrganization = () =>
  new TestbedError({
    code: 'unknown_organization',
    status: 404,
    message: 'No local account matches that organization (and email address).',
  })

interface IdentityProvider {
  readonly alias: string
  readonly issuerUrl: string
}

/** The external identity provider did not return a usable response. */
export const providerUnavailable = ({ alias, issuerUrl }: IdentityProvider, cause: unknown) =>
  new TestbedError({
    code: 'provider_unavailable',
    status: 502,
    message: `The identity provider ${alias} is currently unavailable. Try again later.`,
    detail: `identity provider ${issuerUrl}`,
    cause,
  })

/** The external identity provider rejected the login, or sent an unacceptable response. */
export const loginRefused = ({ alias }: IdentityProvider, cause: unknown) =>
  new TestbedError({
    code: 'login_refused',
    status: 401,
    message: `The login at the identity provider ${alias} failed. Try again.`,
    detail: cause instanceof Error ? cause.message : String(cause),
    cause,
  })
