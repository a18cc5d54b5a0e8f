import { requireJson } from '../../classify-answer.ts'
import type { IdpContext } from './context.ts'
import { verifyIdToken } from './verify-id-token.ts'

/** What a relying party knows after a login: the claims of id_token and userinfo together. */
export async function readClaims(context: IdpContext): Promise<Readonly<Record<string, unknown>>> {
  const { tokens } = await context.logInForTokens()
  const { claims } = await verifyIdToken(context, tokens)
  const url = await context.endpoint('userinfo_endpoint')
  const headers = { authorization: `Bearer ${tokens.access_token}` }
  const answer = await context.httpAs('relying-party').request(url, { headers })
  return { ...claims, ...requireJson(answer, 'userinfo') }
}
