/** Paths that oidc-provider handles (profile/idp, Endpoints). */
export const providerRoutes = {
  authorization: '/accounts/authorize',
  token: '/accounts/token',
  jwks: '/accounts/jwks',
} as const

/** The scopes of the discovery document (the profile). */
export const supportedScopes = ['openid', 'profile', 'email', 'openid-vp-lear'] as const
