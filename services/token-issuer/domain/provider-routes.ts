/** Paths that oidc-provider handles. */
export const providerRoutes = {
  authorization: '/auth',
  token: '/token',
  jwks: '/jwks',
  end_session: '/session/end',
} as const

/** The claims of the id_token, by scope. */
export const claimsByScope = {
  openid: ['sub'],
  profile: ['name', 'given_name', 'family_name', 'preferred_username'],
  email: ['email'],
  organization: ['organization', 'organization_identifier', 'user_identifier', 'power'],
}
