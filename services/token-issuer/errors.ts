import { TestbedError } from '#core/errors/testbed-error.ts'

const loginExpired = (message: string) =>
  new TestbedError({ code: 'login_expired', status: 400, message })

/** No sign-in is under way from which a login elsewhere could begin. */
export const unknownInteraction = () => loginExpired('This sign-in has expired.')

/** What came back from an external identity provider belongs to no login that this browser began. */
export const unknownBrokerLogin = () =>
  loginExpired('This sign-in has expired, was used already, or was begun in another browser.')

/** The ticket completes no sign-in, or not this one. */
export const unknownTicket = () => loginExpired('This sign-in has expired or was used already.')

export const unknownProvider = () =>
  new TestbedError({
    code: 'unknown_provider',
    status: 404,
    message: 'There is no identity provider of that name here.',
  })

export const unknownOrganization = () =>
  new TestbedError({
    code: 'unknown_organization',
    status: 404,
    message: 'No local account belongs to that organization (and has that email address).',
  })

interface IdentityProvider {
  readonly displayName: string
  readonly issuerUrl: string
}

/** The external identity provider gave no usable answer. */
export const providerUnavailable = ({ displayName, issuerUrl }: IdentityProvider, cause: unknown) =>
  new TestbedError({
    code: 'provider_unavailable',
    status: 502,
    message: `Signing in with ${displayName} is not possible at the moment. Try again later.`,
    detail: `identity provider ${issuerUrl}`,
    cause,
  })

/** The external identity provider said no, or sent what must not be accepted. */
export const loginRefused = ({ displayName }: IdentityProvider, cause: unknown) =>
  new TestbedError({
    code: 'login_refused',
    status: 401,
    message: `Signing in with ${displayName} did not succeed. Try again.`,
    detail: cause instanceof Error ? cause.message : String(cause),
    cause,
  })
