import { asPremise, jsonAsPremise } from '../../kit/classify-answer.ts'
import type { IdpContext } from './context.ts'

/** The tokens of a login, and what userinfo tells for them; without either nothing is decided. */
export async function requireUserinfo(context: IdpContext) {
  const { tokens } = await asPremise('A login (see O02)', context.logInForTokens())
  const url = await context.endpoint('userinfo_endpoint')
  const headers = { authorization: `Bearer ${tokens.access_token}` }
  const answer = context.httpAs('relying-party').request(url, { headers })
  const claims = await jsonAsPremise('userinfo', answer, 'userinfo (see O12)')
  return { url, tokens, claims }
}
