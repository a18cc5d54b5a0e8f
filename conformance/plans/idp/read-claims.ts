import type { IdpContext } from './context.ts'
import { requireUserinfo } from './require-userinfo.ts'
import { verifyIdToken } from './verify-id-token.ts'

/** What a relying party knows after a login: the claims of id_token and userinfo together. */
export async function readClaims(context: IdpContext): Promise<Readonly<Record<string, unknown>>> {
  const { tokens, claims: told } = await requireUserinfo(context)
  const { claims } = await verifyIdToken(context, tokens)
  return { ...claims, ...told }
}
