import type { KoaContextWithOIDC } from 'oidc-provider'
import type { page } from '#kit/page.ts'

/** Answers a request of oidc-provider with a page of ours. */
export function sendPage(
  context: KoaContextWithOIDC,
  { status, headers, contentType, body }: ReturnType<typeof page>,
): void {
  context.status = status
  context.set({ ...headers })
  context.type = contentType
  context.body = body
}
