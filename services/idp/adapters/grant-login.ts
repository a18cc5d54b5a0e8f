import type { Grant, KoaContextWithOIDC } from 'oidc-provider'
import type { Dependencies } from '../dependencies.ts'
import { subjectOf } from '../domain/subject-of.ts'

/**
 * What a login gives the relying party that it was for: the scopes that were asked for, without
 * consent, and the claims of the credential that was presented. Undefined where the login of this
 * request has not succeeded.
 */
export async function grantLogin(
  { oidc }: KoaContextWithOIDC,
  { config, logins, credentials }: Pick<Dependencies, 'config' | 'logins' | 'credentials'>,
): Promise<Grant | undefined> {
  const { client, session, params, result } = oidc
  const accountId = session?.accountId
  const login = await logins.findByCode(String(result?.sessionCode ?? ''))
  if (!client || !accountId || login?.status !== 'SUCCESS' || !login.credential) return undefined
  if (subjectOf(JSON.parse(login.credential)) !== accountId) return undefined
  const grant = new oidc.provider.Grant({ accountId, clientId: client.clientId })
  const wanted = String(params?.scope)
  grant.addOIDCScope(wanted)
  grant.addResourceScope(config.baseUrl, wanted)
  await credentials.keep(await grant.save(), accountId, login.credential)
  return grant
}
