import { asPremise } from '../../as-premise.ts'
import { requireJson } from '../../classify-answer.ts'
import type { IdpContext, LoginOptions } from './context.ts'

/**
 * Goes on only where a login with nothing wrong ends with tokens that userinfo takes: who refuses
 * everybody has refused nothing in particular. Shown once for all checks of a run.
 */
export async function requireLogin(
  context: IdpContext,
  party: NonNullable<LoginOptions['party']> = context.target.client,
): Promise<void> {
  if (context.proven.has(party.clientId)) return
  await asPremise(`A login of ${party.clientId}`, logInAndRead(context, party))
  context.proven.add(party.clientId)
}

async function logInAndRead(
  context: IdpContext,
  party: NonNullable<LoginOptions['party']>,
): Promise<void> {
  const { tokens } = await context.logInForTokens({ party })
  const url = await context.endpoint('userinfo_endpoint')
  const headers = { authorization: `Bearer ${tokens.access_token}` }
  requireJson(await context.httpAs('relying-party').request(url, { headers }), 'userinfo')
}
