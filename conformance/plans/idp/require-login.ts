import { asPremise } from '../../kit/as-premise.ts'
import { jsonAsPremise } from '../../kit/json-as-premise.ts'
import type { IdpContext } from './context.ts'
import type { IdpParty } from './z-target.ts'

/**
 * Goes on only where a login with nothing wrong ends with tokens: who refuses everybody has refused
 * nothing in particular. Shown once for all checks of a run.
 */
export async function requireLogin(
  context: IdpContext,
  party: IdpParty = context.target.client,
): Promise<void> {
  if (context.proven.has(party.clientId)) return
  const login = context.logInForTokens({ party })
  await asPremise(`A login of ${party.clientId} (see O02)`, login)
  context.proven.add(party.clientId)
}

/** The tokens of a login, and what userinfo tells for them; without either nothing is decided. */
export async function requireUserinfo(context: IdpContext) {
  const { tokens } = await asPremise('A login (see O02)', context.logInForTokens())
  const url = await context.endpoint('userinfo_endpoint')
  const headers = { authorization: `Bearer ${tokens.access_token}` }
  const answer = context.httpAs('relying-party').request(url, { headers })
  const claims = await jsonAsPremise('userinfo', answer, 'userinfo (see O12)')
  return { url, tokens, claims }
}
